import type { z } from 'zod'
import type { PublicOptions } from '../../shared/session.ts'
import type { App } from '../dependencies.ts'

/** The settings that the screens depend on, for everyone to read. */
export function publicOptions({ config, outbox }: Pick<App, 'config' | 'outbox'>): z.input<typeof PublicOptions> {
  return {
    emailPassword: config.hasEmailPassword,
    emailCode: config.emailCode,
    passwordReset: config.hasEmailPassword && config.mayResetPassword,
    verificationEmail: config.sendsVerificationEmail,
    emailChange: config.mayChangeEmail,
    userDeletion: config.mayDeleteUser,
    organizationCreation: config.mayCreateOrganizations,
    passwordLength: config.passwordLength,
    hasPayments: config.payments !== undefined || config.paymentWebhookKeys.length > 0,
    hasCheckout: config.payments !== undefined,
    providers: config.shownProviders,
    trustedOrigins: [...config.trustedOrigins],
    hasDevMailbox: !outbox.hasMailServer && config.hasDevelopmentPages,
  }
}
