import { Link } from '@tanstack/react-router'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Empty } from '../ui/Empty.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { PlusIcon } from '../ui/screen-icons.tsx'
import { useRoleName } from './Roles.tsx'
import classes from './MyOrganizations.module.css'

/** The user's organizations on the home screen, as tiles. */
export function MyOrganizations() {
  const { t } = useTranslation()
  const roleName = useRoleName()
  const [{ organizationCreation }] = trpc.session.options.useSuspenseQuery()
  const [mine] = trpc.organization.mine.useSuspenseQuery()
  if (mine.length === 0) {
    return (
      <section className={classes.none}>
        <Empty
          text={t(organizationCreation ? 'overview.empty' : 'overview.emptyInvited')}
          action={organizationCreation && <ButtonLink to="/organizations/new">{t('create.submit')}</ButtonLink>}
        />
      </section>
    )
  }
  return (
    <section>
      <h2 className={classes.title}>{t('overview.title')}</h2>
      <ul className={classes.tiles}>
        {mine.map(({ id, slug, name, logo, role, memberCount }) => (
          <li key={id}>
            <Link to="/o/$slug" params={{ slug }} className={classes.tile}>
              <Avatar id={id} name={name} image={logo} size={36} isSquare />
              <span className={classes.words}>
                <strong>{name}</strong>
                <span>{t('overview.tile', { role: roleName(role), count: memberCount })}</span>
              </span>
            </Link>
          </li>
        ))}
        {organizationCreation && (
          <li>
            <Link to="/organizations/new" className={`${classes.tile} ${classes.add}`}>
              <PlusIcon />
              {t('create.submit')}
            </Link>
          </li>
        )}
      </ul>
    </section>
  )
}
