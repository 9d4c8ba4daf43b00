import type { MailTexts } from '../mail-texts.ts'

/** The Spanish texts of all emails. */
export const es: MailTexts = {
  common: {
    when: 'Fecha y hora',
    device: 'Dispositivo',
    unknownDevice: 'Desconocido',
    hint: 'Si el botón no funciona, abre este enlace:',
    password: 'Contraseña',
  },
  roles: {
    owner: 'Propietario',
    admin: 'Administrador',
    member: 'Miembro',
  },
  mails: {
    verifyEmail: {
      subject: 'Verifica tu correo electrónico',
      title: 'Verifica tu correo electrónico, {name}',
      lines: ['Confirma que {email} es tuyo. El enlace funciona hasta el {until}.'],
      action: 'Verificar correo electrónico',
      closing: 'Si no lo has solicitado, ignora este correo. No pasará nada a menos que abras el enlace.',
    },
    signUpAttempt: {
      subject: 'Alguien ha intentado crear una cuenta con tu correo electrónico',
      title: 'Ya tienes una cuenta',
      lines: [
        'Alguien, quizá tú, ha intentado crear una cuenta nueva con {email}. No se ha cambiado nada.',
        'Si has sido tú, inicia sesión con tu contraseña. Si la has olvidado o nunca has usado esta cuenta, establece una nueva contraseña desde la página de inicio de sesión.',
      ],
      action: 'Iniciar sesión',
      closing: 'Si no has sido tú, ignora este correo. No se ha compartido ninguna información sobre tu cuenta.',
    },
    resetPassword: {
      subject: 'Restablece tu contraseña',
      title: 'Restablece tu contraseña',
      lines: [
        'Alguien, probablemente tú, ha solicitado restablecer la contraseña de {email}. El enlace funciona una sola vez y caduca el {until}. Al establecer una nueva contraseña, se cierran todas las sesiones.',
      ],
      action: 'Establecer nueva contraseña',
      closing: 'Si no has sido tú, ignora este correo. Tu contraseña seguirá siendo la misma.',
    },
    passwordChanged: {
      subject: 'Se ha cambiado tu contraseña',
      title: 'Se ha cambiado tu contraseña',
      lines: ['La contraseña de {email} se acaba de cambiar.'],
      closing:
        'Si no has sido tú, selecciona «¿Has olvidado tu contraseña?» en la página de inicio de sesión y establece una nueva de inmediato. Así se cerrarán todas las sesiones.',
    },
    confirmEmailChange: {
      subject: 'Confirma el cambio de correo electrónico',
      title: '¿Cambiar tu correo electrónico?',
      lines: [
        'Has solicitado cambiar el correo electrónico de tu cuenta, {email}, por {newEmail}. Abre el enlace en el navegador en el que tienes la sesión iniciada. Funciona hasta el {until}. Después enviaremos un enlace de verificación a {newEmail}.',
      ],
      action: 'Cambiar correo electrónico',
      closing:
        'Si no has sido tú, no abras el enlace y cambia tu contraseña de inmediato. Otra persona ha iniciado sesión en tu cuenta.',
    },
    emailChanged: {
      subject: 'Se ha cambiado tu correo electrónico',
      title: 'Se ha cambiado tu correo electrónico',
      lines: ['Tu cuenta ya no usa {email}. A partir de ahora, enviaremos todos los correos a {newEmail}.'],
      closing:
        'Si no has sido tú, ponte en contacto de inmediato con el equipo de soporte y conserva este correo como prueba.',
    },
    confirmDeletion: {
      subject: '¿Eliminar tu cuenta?',
      title: '¿Eliminar tu cuenta?',
      lines: [
        'Usa este enlace para eliminar de forma permanente la cuenta de {email} y todos sus datos. Funciona una sola vez, solo en el navegador en el que tienes la sesión iniciada, y caduca el {until}.',
      ],
      action: 'Eliminar cuenta',
      closing:
        'Si no has sido tú, no abras el enlace y cambia tu contraseña de inmediato. Otra persona ha iniciado sesión en tu cuenta.',
    },
    deleted: {
      subject: 'Se ha eliminado tu cuenta',
      title: 'Adiós, {name}',
      lines: ['Se han eliminado la cuenta de {email} y todos sus datos.'],
      closing: 'Si no has sido tú, ponte en contacto con el equipo de soporte y conserva este correo como prueba.',
    },
    apiKeyCreated: {
      subject: 'Se ha creado una clave de API',
      title: 'Se ha creado una clave de API',
      lines: [
        'Se ha creado la clave de API {key} para tu cuenta {email}. Cualquiera que tenga esta clave puede actuar en tu nombre.',
      ],
      closing: 'Si no has sido tú, elimina la clave en la configuración y cambia tu contraseña de inmediato.',
    },
    twoFactorEnabled: {
      subject: 'La verificación en dos pasos está activada',
      title: 'La verificación en dos pasos está activada',
      lines: [
        'A partir de ahora, para iniciar sesión en la cuenta de {email} también hace falta un código de tu aplicación de autenticación. Se han cerrado tus demás sesiones.',
      ],
      closing: 'Si no has sido tú, cambia tu contraseña de inmediato y revisa las sesiones en la configuración.',
    },
    twoFactorDisabled: {
      subject: 'La verificación en dos pasos está desactivada',
      title: 'La verificación en dos pasos está desactivada',
      lines: [
        'Ya no hace falta un código para iniciar sesión en la cuenta de {email}. Los códigos de recuperación han dejado de funcionar.',
      ],
      closing: 'Si no has sido tú, cambia tu contraseña de inmediato y revisa las sesiones en la configuración.',
    },
    recoveryCodesReplaced: {
      subject: 'Se han reemplazado tus códigos de recuperación',
      title: 'Se han reemplazado tus códigos de recuperación',
      lines: ['Se han creado nuevos códigos de recuperación para {email}. Los anteriores han dejado de funcionar.'],
      closing: 'Si no has sido tú, cambia tu contraseña de inmediato y revisa las sesiones en la configuración.',
    },
    recoveryCodeUsed: {
      subject: 'Se ha usado un código de recuperación',
      title: 'Se ha usado un código de recuperación',
      lines: [
        'Se ha usado un código de recuperación para iniciar sesión en la cuenta de {email}. Códigos restantes: {left}',
      ],
      closing: 'Si no has sido tú, cambia tu contraseña de inmediato y revisa las sesiones en la configuración.',
    },
    signInCode: {
      subject: 'Tu código de inicio de sesión',
      title: 'Tu código de inicio de sesión',
      lines: [
        'Introduce este código para iniciar sesión en la cuenta de {email}: {code}',
        'El código funciona una sola vez y caduca el {until}.',
      ],
      closing: 'Si no lo has solicitado, ignora este correo. No compartas nunca este código.',
    },
    verificationCode: {
      subject: 'Tu código de verificación',
      title: 'Tu código de verificación',
      lines: [
        'Introduce este código para verificar {email}: {code}',
        'El código funciona una sola vez y caduca el {until}.',
      ],
      closing: 'Si no lo has solicitado, ignora este correo. No compartas nunca este código.',
    },
    resetCode: {
      subject: 'Tu código para restablecer la contraseña',
      title: 'Tu código para restablecer la contraseña',
      lines: [
        'Introduce este código para establecer una nueva contraseña para {email}: {code}',
        'El código funciona una sola vez y caduca el {until}.',
      ],
      closing: 'Si no lo has solicitado, ignora este correo. No compartas nunca este código.',
    },
    signInLink: {
      subject: 'Tu enlace de inicio de sesión',
      title: 'Tu enlace de inicio de sesión',
      lines: [
        'Abre el enlace en el navegador en el que lo solicitaste o introduce allí este código: {code}',
        'El enlace y el código funcionan una sola vez y caducan el {until}.',
      ],
      action: 'Iniciar sesión',
      closing: 'Si no lo has solicitado, ignora este correo. No compartas nunca este código.',
    },
    passkeyAdded: {
      subject: 'Se ha añadido una llave de acceso',
      title: 'Se ha añadido una llave de acceso',
      lines: ['Se ha añadido la llave de acceso {key}. Permite iniciar sesión en la cuenta de {email} sin contraseña.'],
      closing: 'Si no has sido tú, cambia tu contraseña de inmediato y revisa las sesiones en la configuración.',
    },
    passkeyRemoved: {
      subject: 'Se ha eliminado una llave de acceso',
      title: 'Se ha eliminado una llave de acceso',
      lines: ['Se ha eliminado la llave de acceso {key} de {email}. Ya no permite iniciar sesión.'],
      closing: 'Si no has sido tú, cambia tu contraseña de inmediato y revisa las sesiones en la configuración.',
    },
    passkeyRefused: {
      subject: 'Se ha rechazado una llave de acceso',
      title: 'Se ha rechazado una llave de acceso',
      lines: [
        'Se ha rechazado la llave de acceso {key} de {email} porque es posible que la hayan copiado. Si acabas de usarla, elimínala en la configuración de seguridad y añade otra.',
      ],
      action: 'Abrir la configuración de seguridad',
      closing: 'Si no has sido tú, elimínala de inmediato y revisa las sesiones en la configuración.',
    },
    twoFactorRemovalCanceled: {
      subject: 'La verificación en dos pasos sigue activada',
      title: 'La verificación en dos pasos sigue activada',
      lines: [
        'Se ha cancelado la eliminación de la verificación en dos pasos de {email}: se ha usado un segundo factor o alguien con la sesión iniciada en tu cuenta la ha cancelado.',
      ],
      closing: 'Si no has sido tú, pide a un administrador que cierre todas tus sesiones.',
    },
    unverifiedFactorsRemoved: {
      subject: 'Se han eliminado métodos de inicio de sesión',
      title: 'Se han eliminado métodos de inicio de sesión',
      lines: [
        'Has confirmado que {email} es tuyo. Las llaves de acceso y las aplicaciones de autenticación añadidas antes se han eliminado, porque es posible que las añadiera otra persona.',
        'Si eran tuyas, vuelve a añadirlas en la configuración de seguridad.',
      ],
      action: 'Abrir la configuración de seguridad',
      closing: 'Si no lo esperabas, ponte en contacto con el equipo de soporte.',
    },
    twoFactorRemoval: {
      subject: 'Se quitará la verificación en dos pasos',
      title: 'Se quitará la verificación en dos pasos',
      lines: [
        'Un administrador quitará la verificación en dos pasos de {email} el {until} porque se ha indicado que ya no puedes usarla. Para cancelarlo, inicia sesión con uno de tus códigos.',
      ],
      closing: 'Si no lo has solicitado, cambia tu contraseña de inmediato y revisa las sesiones en la configuración.',
    },
    secondStepCode: {
      subject: 'Tu código de verificación en dos pasos',
      title: 'Tu código de verificación en dos pasos',
      lines: [
        'Introduce este código para terminar de iniciar sesión en la cuenta de {email}: {code}',
        'El código funciona una sola vez y caduca el {until}.',
      ],
      closing:
        'Si no has sido tú, alguien conoce tu contraseña: cámbiala de inmediato. No compartas nunca este código.',
    },
    secondStepFailed: {
      subject: 'Códigos incorrectos al iniciar sesión',
      title: 'Códigos incorrectos al iniciar sesión',
      lines: [
        'Se han introducido cinco códigos incorrectos para {email}. El paso anterior se había completado correctamente, así que es posible que alguien conozca tu contraseña.',
      ],
      closing: 'Si no has sido tú, cambia tu contraseña de inmediato.',
    },
    endpointDisabled: {
      subject: 'Se ha desactivado un webhook',
      title: 'Se ha desactivado un webhook',
      lines: [
        'Durante cinco días no se ha podido entregar ningún evento a {host}, por lo que ya no se envían eventos a ese destino. Los eventos de este periodo se conservan y se pueden leer a través de la API.',
      ],
      action: 'Ver entregas',
      closing:
        'Corrige el error en el receptor y vuelve a activar el webhook. Después se enviarán los eventos pendientes.',
    },
    endpointGone: {
      subject: 'Se ha desactivado un webhook',
      title: 'Se ha desactivado un webhook',
      lines: [
        '{host} ha respondido a un evento con «410 Gone», lo que significa que ya no quiere recibir eventos. Por eso ya no se envían eventos a ese destino. Los eventos posteriores se conservan y se pueden leer a través de la API.',
      ],
      action: 'Ver entregas',
      closing:
        'Si no ha sido intencionado, corrige el error en el receptor y vuelve a activar el webhook. Después se enviarán los eventos pendientes.',
    },
    accountLinked: {
      subject: 'Se ha vinculado {provider} a tu cuenta',
      title: 'Se ha vinculado {provider} a tu cuenta',
      lines: ['Ya puedes iniciar sesión en la cuenta de {email} con {provider}.'],
      closing: 'Si no has sido tú, desvincula {provider} en la configuración y cambia tu contraseña de inmediato.',
    },
    accountUnlinked: {
      subject: 'Método de inicio de sesión desvinculado: {provider}',
      title: 'Método de inicio de sesión desvinculado: {provider}',
      lines: ['El método {provider} ya no se puede usar para iniciar sesión en tu cuenta {email}.'],
      closing: 'Si no has sido tú, cambia tu contraseña de inmediato y revisa las sesiones en la configuración.',
    },
    usernameChanged: {
      subject: 'Se ha cambiado tu nombre de usuario',
      title: 'Se ha cambiado tu nombre de usuario',
      lines: ['El nombre de usuario de {email} ahora es {username}.'],
      closing: 'Si no has sido tú, cambia tu contraseña de inmediato y revisa las sesiones en la configuración.',
    },
    confirmIdentity: {
      subject: 'Tu código de confirmación',
      title: 'Tu código de confirmación',
      lines: [
        'Introduce este código para confirmar que eres tú: {code}',
        'El código funciona una sola vez y caduca el {until}.',
      ],
      closing:
        'Si no lo has solicitado, otra persona está usando tu cuenta. Cierra todas las demás sesiones en la configuración. No compartas nunca este código.',
    },
    emailChangeRejected: {
      subject: 'Se ha restablecido tu correo electrónico anterior',
      title: 'Se ha restablecido tu correo electrónico anterior',
      lines: [
        'El titular de {newEmail} nos ha indicado que este correo electrónico no pertenece a tu cuenta. Tu cuenta vuelve a usar {email}.',
      ],
      closing: 'Si escribiste mal el nuevo correo electrónico, vuelve a cambiarlo en la configuración.',
    },
    accountCreated: {
      subject: 'Se ha creado una cuenta para ti',
      title: 'Se ha creado una cuenta para ti',
      lines: [
        '{actor} ha creado una cuenta para {email}.',
        'Inicia sesión con la contraseña que te han dado. Para elegir la tuya, selecciona «¿Has olvidado tu contraseña?» en la página de inicio de sesión.',
      ],
      action: 'Iniciar sesión',
      closing: 'Si no lo esperabas, ignora este correo o ponte en contacto con el equipo de soporte.',
    },
    administratorGranted: {
      subject: 'Ahora tienes el rol de administrador',
      title: 'Ahora tienes el rol de administrador',
      lines: [
        '{email} tiene ahora el rol de administrador.',
        'Llaves de acceso de tu cuenta: {passkeys}. En la configuración de seguridad, elimina las que no hayas añadido tú y la aplicación de autenticación que no hayas configurado tú.',
      ],
      action: 'Abrir la configuración de seguridad',
      closing: 'Si no lo esperabas, ponte en contacto con el equipo de soporte.',
    },
    administratorAdded: {
      subject: 'Nuevo administrador: {newAdministrator}',
      title: 'Nuevo administrador: {newAdministrator}',
      lines: ['{newAdministrator} ({newAdministratorEmail}) tiene ahora el rol de administrador.'],
      closing: 'Si no lo esperabas, revoca el rol en Administración.',
    },
    administratorRevoked: {
      subject: 'Ya no tienes el rol de administrador',
      title: 'Ya no tienes el rol de administrador',
      lines: ['{email} ya no tiene el rol de administrador.'],
      closing: 'Si tienes preguntas, ponte en contacto con el equipo de soporte.',
    },
    newDevice: {
      subject: 'Nuevo inicio de sesión en tu cuenta',
      title: 'Nuevo inicio de sesión en tu cuenta',
      lines: ['Alguien acaba de iniciar sesión en la cuenta de {email} desde un dispositivo nuevo.'],
      closing:
        'Si has sido tú, no tienes que hacer nada. Si no, cambia tu contraseña de inmediato y cierra esa sesión en la configuración.',
    },
    roleChanged: {
      subject: 'Se ha cambiado tu rol en {organization}',
      title: 'Se ha cambiado tu rol en {organization}',
      lines: ['{actor} ha cambiado tu rol. Nuevo rol: {role}.'],
      action: 'Abrir {organization}',
      closing: 'Si tienes preguntas, ponte en contacto con un propietario de {organization}.',
    },
    secondFactorRequired: {
      subject: '{organization} exige un segundo factor',
      title: '{organization} exige un segundo factor',
      lines: [
        'A partir del {until}, los miembros necesitan un segundo factor para abrir {organization}: una llave de acceso o una aplicación de autenticación. Todavía no tienes ninguno.',
      ],
      action: 'Configurar un segundo factor',
      closing: 'Si tienes preguntas, ponte en contacto con un propietario de {organization}.',
    },
    memberRemoved: {
      subject: 'Te han eliminado de {organization}',
      title: 'Te han eliminado de {organization}',
      lines: ['{actor} te ha eliminado de la organización. Tu cuenta no se ve afectada.'],
      closing: 'Si es un error, pide una nueva invitación a {actor}.',
    },
    ownershipReceived: {
      subject: 'Ahora tienes el rol de propietario en {organization}',
      title: 'Ahora tienes el rol de propietario en {organization}',
      lines: [
        '{actor} te ha dado el rol de propietario. Puedes cambiar toda la configuración de la organización, eliminarla y transferir la propiedad.',
      ],
      action: 'Abrir {organization}',
      closing: 'Si no quieres este rol, puedes transferir la propiedad a otro miembro.',
    },
    invitation: {
      subject: '{actor} te ha invitado a {organization}',
      title: '{actor} te ha invitado a {organization}',
      lines: ['Tu rol será: {role}. La invitación caduca el {until}.'],
      action: 'Ver invitación',
      closing: 'Si no conoces a {actor}, ignora este correo. No pasará nada a menos que aceptes.',
    },
    invitationAccepted: {
      subject: '{actor} se ha unido a {organization}',
      title: '{actor} se ha unido a {organization}',
      lines: ['Se ha aceptado tu invitación para {inviteeEmail}. Rol: {role}.'],
      action: 'Ver miembros',
      closing: 'Recibes este correo porque enviaste la invitación.',
    },
    paymentFailed: {
      subject: 'El pago ha fallado',
      title: 'El pago ha fallado',
      lines: [
        'El pago de {about} ha fallado. Revisa tu tarjeta o usa otro método de pago. Después se volverá a intentar el pago.',
      ],
      action: 'Ver facturación',
      closing: 'De momento conservas el acceso.',
    },
    subscriptionPastDue: {
      subject: 'Tienes un pago vencido',
      title: 'Tienes un pago vencido',
      lines: [
        'Un pago de la suscripción de {about} ha fallado. Actualiza tu método de pago para conservar la suscripción.',
      ],
      action: 'Ver facturación',
      closing: 'De momento conservas el acceso.',
    },
    trialEnding: {
      subject: 'Tu prueba gratuita termina pronto',
      title: 'Tu prueba gratuita termina pronto',
      lines: ['La prueba gratuita de {about} termina el {until}. Después se cobrará la suscripción.'],
      action: 'Ver facturación',
      closing: 'Si no quieres continuar, cancela la suscripción antes de esa fecha.',
    },
    subscriptionOnHold: {
      subject: 'Tu suscripción está en espera',
      title: 'Tu suscripción está en espera',
      lines: [
        'La suscripción de {about} está en espera porque hay un pago vencido. Actualiza tu método de pago para conservar la suscripción.',
      ],
      action: 'Ver facturación',
      closing: 'Sin el pago, perderás el acceso a las funciones de la suscripción.',
    },
    subscriptionEnded: {
      subject: 'Tu suscripción ha finalizado',
      title: 'Tu suscripción ha finalizado',
      lines: ['La suscripción de {about} ha finalizado. Puedes volver a suscribirte en cualquier momento.'],
      action: 'Ver facturación',
      closing: 'Tus pagos anteriores siguen apareciendo en Facturación.',
    },
  },
}
