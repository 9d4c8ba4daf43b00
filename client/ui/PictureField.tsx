import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '../language/translation.ts'
import { Avatar } from './Avatar.tsx'

const loadDialog = () => import('./PictureDialog.tsx')
const PictureDialog = lazy(() => loadDialog().then(({ PictureDialog: dialog }) => ({ default: dialog })))

type PictureFieldProps = {
  /** Id of the user or organization, for the color of the initials. */
  id: string
  name: string
  /** The URL of the picture. If empty, the initials are shown. */
  value: string
  isSquare?: boolean
  onChoose: (url: string) => void
}

/** Shows the picture of a form, uploads another one, or removes it. The form saves the URL. */
export function PictureField({ id, name, value, isSquare = false, onChoose }: PictureFieldProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Avatar id={id} name={name} image={value} size={56} isSquare={isSquare} />
      <Button
        size="sm"
        variant="default"
        onPointerEnter={() => void loadDialog()}
        onFocus={() => void loadDialog()}
        onClick={() => setOpen(true)}
      >
        {t('picture.upload')}
      </Button>
      {value !== '' && (
        <Button size="sm" variant="subtle" className="quiet-button" onClick={() => onChoose('')}>
          {t('picture.remove')}
        </Button>
      )}
      {isOpen && (
        <Suspense>
          <PictureDialog
            isRound={!isSquare}
            onClose={() => setOpen(false)}
            onChoose={(url) => {
              setOpen(false)
              onChoose(url)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
