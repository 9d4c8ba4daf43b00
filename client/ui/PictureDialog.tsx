import { Button, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.css'
import { useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { useTranslation } from '../language/translation.ts'
import { Dialog, DialogActions } from './Dialog.tsx'
import { encodePicture, uploadPicture } from './picture.ts'
import classes from './Picture.module.css'

/** Accepted file types and size. The largest photo of a phone is far smaller. */
const accepted = ['image/png', 'image/jpeg', 'image/webp']
const maxFile = 25_000_000

type PictureDialogProps = { isRound: boolean; onChoose: (url: string) => void; onClose: () => void }

/** Chooses a file, crops it to a square, re-encodes it and uploads it. */
export function PictureDialog({ isRound, onChoose, onClose }: PictureDialogProps) {
  const { t } = useTranslation()
  const [source, setSource] = useState<string>()
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area>()
  const [problem, setProblem] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const show = async (chosen: string) => {
    const image = new Image()
    image.src = chosen
    const isPicture = await image.decode().then(
      () => true,
      () => false,
    )
    setProblem(isPicture ? undefined : t('refusal.PICTURE_IS_INVALID'))
    if (isPicture) setSource(chosen)
  }
  const read = (file: File | undefined) => {
    if (!file) return
    const reader = new FileReader()
    reader.addEventListener('load', () => void show(String(reader.result)))
    reader.readAsDataURL(file)
  }
  const save = async () => {
    if (source === undefined || area === undefined) return
    setSaving(true)
    try {
      onChoose(await uploadPicture(await encodePicture(source, area)))
    } catch {
      setProblem(navigator.onLine ? t('picture.failed') : t('failure.offline'))
      setSaving(false)
    }
  }
  return (
    <Dialog title={t('picture.title')} onClose={onClose}>
      <Stack gap="md">
        {source === undefined ? (
          <Dropzone
            accept={accepted}
            maxSize={maxFile}
            maxFiles={1}
            multiple={false}
            inputProps={{ 'aria-label': t('picture.choose') }}
            onDrop={([file]) => read(file)}
            onReject={() => setProblem(t('refusal.PICTURE_IS_INVALID'))}
          >
            <div className={classes.drop}>
              <strong>{t('picture.choose')}</strong>
              <span>{t('picture.types')}</span>
            </div>
          </Dropzone>
        ) : (
          <>
            <div className={classes.crop}>
              <Cropper
                image={source}
                crop={crop}
                zoom={zoom}
                aspect={1}
                cropShape={isRound ? 'round' : 'rect'}
                showGrid={false}
                disableAutomaticStylesInjection
                mediaProps={{ alt: '' }}
                onCropChange={setCrop}
                onZoomChange={setZoom}
                onCropComplete={(_, pixels) => setArea(pixels)}
              />
            </div>
            <label className={classes.zoom}>
              {t('picture.zoom')}
              <input
                type="range"
                min={1}
                max={3}
                step={0.05}
                value={zoom}
                onChange={(event) => setZoom(Number(event.currentTarget.value))}
              />
            </label>
          </>
        )}
        {problem !== undefined && (
          <Text role="alert" c="var(--danger)">
            {problem}
          </Text>
        )}
        <DialogActions onClose={onClose}>
          {source !== undefined && (
            <Button loading={isSaving} onClick={() => void save()}>
              {t('picture.use')}
            </Button>
          )}
        </DialogActions>
      </Stack>
    </Dialog>
  )
}
