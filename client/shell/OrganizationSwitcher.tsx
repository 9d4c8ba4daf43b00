import { Combobox, UnstyledButton, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useRoleName } from '../organization/Roles.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { ChevronIcon } from '../ui/icons.tsx'
import { PlusIcon } from '../ui/screen-icons.tsx'
import { useLastOrganization } from './last-organization.ts'
import classes from './OrganizationSwitcher.module.css'

/** Value of the last option, "Create organization". A slug never contains a slash. */
const createOption = '/'

/** Searchable organization switcher, usable with mouse and keyboard. Enter selects the first result. */
export function OrganizationSwitcher() {
  const { t } = useTranslation()
  const roleName = useRoleName()
  const navigate = useNavigate()
  const [{ organizationCreation }] = trpc.session.options.useSuspenseQuery()
  const { organization: current } = useLastOrganization()
  const [search, setSearch] = useState('')
  const [debouncedSearch] = useDebouncedValue(search, 150)
  const combobox = useCombobox({
    onDropdownOpen: () => {
      combobox.focusSearchInput()
      combobox.selectFirstOption()
    },
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setSearch('')
    },
  })
  const mine = trpc.organization.mine.useQuery(
    { search: debouncedSearch },
    { enabled: combobox.dropdownOpened, placeholderData: keepPreviousData },
  )
  // The first result is selected again whenever the results change, so that Enter selects it.
  const { selectFirstOption } = combobox
  useEffect(() => {
    if (mine.data && search !== '') selectFirstOption()
  }, [mine.data, search, selectFirstOption])
  const choose = (value: string) => {
    combobox.closeDropdown()
    if (value === createOption) void navigate({ to: '/organizations/new' })
    else void navigate({ to: '/o/$slug', params: { slug: value } })
  }
  return (
    <Combobox store={combobox} width={300} position="bottom-start" withinPortal={false} onOptionSubmit={choose}>
      <Combobox.Target targetType="button">
        <UnstyledButton
          className={classes.button}
          onClick={() => combobox.toggleDropdown()}
          aria-label={current ? t('switcher.current', { name: current.name }) : t('switcher.label')}
        >
          {current && <Avatar {...current} image={current.logo} size={24} isSquare />}
          <span className={classes.name}>{current?.name ?? t('switcher.label')}</span>
          <ChevronIcon />
        </UnstyledButton>
      </Combobox.Target>
      <Combobox.Dropdown className={classes.dropdown}>
        <Combobox.Search
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value)
            combobox.updateSelectedOptionIndex()
          }}
          placeholder={t('switcher.search')}
          aria-label={t('switcher.search')}
        />
        <Combobox.Options aria-label={t('switcher.label')} className={classes.options}>
          {mine.data?.map(({ id, slug: optionSlug, name, logo, role }) => (
            <Combobox.Option
              key={id}
              value={optionSlug}
              active={optionSlug === current?.slug}
              className={classes.option}
            >
              <Avatar id={id} name={name} image={logo} size={28} isSquare />
              <span className={classes.name}>{name}</span>
              <span className={classes.role}>{roleName(role)}</span>
            </Combobox.Option>
          ))}
          {mine.data?.length === 0 && search !== '' && <Combobox.Empty>{t('switcher.nothing')}</Combobox.Empty>}
          {organizationCreation && (
            <Combobox.Option value={createOption} className={classes.option}>
              <PlusIcon />
              {t('create.submit')}
            </Combobox.Option>
          )}
        </Combobox.Options>
        <ErrorMessage error={mine.error} />
      </Combobox.Dropdown>
    </Combobox>
  )
}
