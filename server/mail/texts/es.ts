import type { MailTexts } from '../mail-texts.ts'

/** The Spanish texts of all mails. */
export const es: MailTexts = {
  common: {
    when: 'Cuándo',
    device: 'Dispositivo',
    unknownDevice: 'Desconocido',
    hint: 'Si el botón no funciona, abre esta dirección:',
  },
  roles: {
    owner: 'Propietario',
    admin: 'Administrador',
    member: 'Miembro',
  },
  mails: {
    verifyEmail: {
      subject: 'Confirma tu dirección',
      title: 'Confirma tu dirección, {name}',
      lines: ['Un clic demuestra que {email} es tuya. El enlace funciona hasta el {until}.'],
      action: 'Confirmar la dirección',
      closing: '¿No has creado una cuenta? Ignora este mensaje: sin el clic no pasa nada.',
    },
    signUpAttempt: {
      subject: 'Alguien ha intentado crear una cuenta con tu dirección',
      title: 'Ya tienes una cuenta',
      lines: [
        'Alguien, quizá tú, ha intentado crear una cuenta nueva con {email}. No ha cambiado nada.',
        'Si fuiste tú, inicia sesión con tu contraseña. Si ya no la recuerdas, o nunca usaste esta cuenta, establece una nueva allí.',
      ],
      action: 'Iniciar sesión',
      closing: 'Si no fuiste tú, no hace falta que hagas nada. Quien lo intentó no ha sabido nada de tu cuenta.',
    },
    resetPassword: {
      subject: 'Establece una contraseña nueva',
      title: 'Establece una contraseña nueva',
      lines: [
        'Alguien, probablemente tú, ha pedido una contraseña nueva para {email}. El enlace funciona una sola vez, hasta el {until}. Al usarlo se cierran todas las sesiones.',
      ],
      action: 'Establecer la contraseña',
      closing: '¿No fuiste tú? Ignora este mensaje: tu contraseña sigue igual.',
    },
    passwordChanged: {
      subject: 'Tu contraseña ha cambiado',
      title: 'Tu contraseña ha cambiado',
      lines: ['La contraseña de {email} es nueva desde ahora mismo.'],
      closing:
        '¿No fuiste tú? Establece otra enseguida con «¿Has olvidado tu contraseña?» al iniciar sesión: eso cierra todas las sesiones.',
    },
    confirmEmailChange: {
      subject: 'Confirma tu dirección nueva',
      title: '¿Quieres cambiar tu dirección?',
      lines: [
        'Tu cuenta va a pasar de {email} a {newEmail}. Abre el enlace en el navegador en el que tienes la sesión iniciada, hasta el {until}. Después, la dirección nueva se confirma con su propio mensaje.',
      ],
      action: 'Cambiar la dirección',
      closing: '¿No fuiste tú? Ignora este mensaje y cambia tu contraseña: alguien ha iniciado sesión en tu cuenta.',
    },
    emailChanged: {
      subject: 'Tu dirección ha cambiado',
      title: 'Tu cuenta tiene una dirección nueva',
      lines: ['Tu cuenta ya no pertenece a {email}. A partir de ahora sus mensajes van a {newEmail}.'],
      closing: '¿No fuiste tú? Escribe enseguida a quien gestiona este servicio; este mensaje es tu prueba.',
    },
    confirmDeletion: {
      subject: '¿Eliminar tu cuenta?',
      title: '¿Quieres eliminar tu cuenta?',
      lines: [
        'Con el enlace eliminas la cuenta de {email} y todo lo que le pertenece, para siempre. Funciona una sola vez, hasta el {until}, en el navegador en el que tienes la sesión iniciada.',
      ],
      action: 'Eliminar la cuenta',
      closing: '¿No fuiste tú? Ignora este mensaje y cambia tu contraseña: alguien ha iniciado sesión en tu cuenta.',
    },
    deleted: {
      subject: 'Tu cuenta se ha eliminado',
      title: 'Hasta siempre, {name}',
      lines: ['La cuenta de {email} y todo lo que le pertenecía se han eliminado.'],
      closing: '¿No fuiste tú? Escribe a quien gestiona este servicio; este mensaje es tu prueba.',
    },
    accountLinked: {
      subject: 'Se ha vinculado {provider} a tu cuenta',
      title: 'Se ha vinculado {provider} a tu cuenta',
      lines: ['Ya puedes iniciar sesión en {email} con {provider}.'],
      closing: 'Si no has sido tú, desvincula {provider} en tu configuración y cambia tu contraseña de inmediato.',
    },
    accountUnlinked: {
      subject: 'Se ha desvinculado {provider} de tu cuenta',
      title: 'Se ha desvinculado {provider} de tu cuenta',
      lines: ['Ya no se puede usar {provider} para iniciar sesión en {email}.'],
      closing: 'Si no has sido tú, cambia tu contraseña de inmediato y revisa las sesiones en tu configuración.',
    },
    usernameChanged: {
      subject: 'Se ha cambiado tu nombre de usuario',
      title: 'Se ha cambiado tu nombre de usuario',
      lines: ['El nombre de usuario de {email} ahora es {username}.'],
      closing: 'Si no has sido tú, cambia tu contraseña de inmediato y revisa las sesiones en tu configuración.',
    },
    confirmIdentity: {
      subject: 'Tu código de confirmación',
      title: 'Tu código de confirmación',
      lines: [
        'Introduce este código para confirmar que eres tú: {code}',
        'El código solo se puede usar una vez. Válido hasta: {until}.',
      ],
      closing:
        'Si no has solicitado este código, alguien está usando tu cuenta: cierra todas las sesiones en tu configuración. No compartas nunca este código.',
    },
    emailChangeRejected: {
      subject: 'Se ha restablecido tu correo electrónico anterior',
      title: 'Se ha restablecido tu correo electrónico anterior',
      lines: [
        'El titular de {newEmail} nos ha indicado que esta dirección no pertenece a tu cuenta. Tu cuenta vuelve a usar {email}.',
      ],
      closing: 'Si escribiste mal la nueva dirección, vuelve a cambiarla en tu configuración.',
    },
    administratorGranted: {
      subject: 'Ahora tienes permisos de administrador',
      title: 'Ahora tienes permisos de administrador',
      lines: ['{email} ahora tiene permisos de administrador.'],
      closing: 'Si no lo esperabas, ponte en contacto con los responsables de este servicio.',
    },
    administratorAdded: {
      subject: 'Nuevo administrador: {newAdministrator}',
      title: 'Nuevo administrador: {newAdministrator}',
      lines: ['{newAdministrator} ({newAdministratorEmail}) ahora tiene permisos de administrador.'],
      closing: 'Si no lo esperabas, revoca el rol en la administración.',
    },
    administratorRevoked: {
      subject: 'Ya no tienes permisos de administrador',
      title: 'Ya no tienes permisos de administrador',
      lines: ['{email} ya no tiene permisos de administrador.'],
      closing: 'Si tienes preguntas, ponte en contacto con los responsables de este servicio.',
    },
    newDevice: {
      subject: 'Un dispositivo nuevo ha iniciado sesión',
      title: 'Un dispositivo nuevo ha iniciado sesión',
      lines: ['Alguien acaba de iniciar sesión en {email} con un dispositivo que no habíamos visto antes.'],
      closing:
        '¿Fuiste tú? Entonces todo está bien. Si no, cambia tu contraseña enseguida y cierra la sesión en tus ajustes.',
    },
    roleChanged: {
      subject: 'Tu papel en {organization} ha cambiado',
      title: 'Tu papel en {organization} ha cambiado',
      lines: ['Lo ha cambiado {actor}. Tu papel es ahora: {role}.'],
      action: 'Abrir {organization}',
      closing: '¿Preguntas? Los propietarios de {organization} pueden responderlas.',
    },
    memberRemoved: {
      subject: 'Ya no eres miembro de {organization}',
      title: 'Ya no eres miembro de {organization}',
      lines: ['{actor} ha terminado tu membresía. Tu cuenta sigue como está.'],
      closing: 'Si es un error, pide a {actor} una invitación nueva.',
    },
    ownershipReceived: {
      subject: 'Ahora eres propietario de {organization}',
      title: 'Ahora eres propietario de {organization}',
      lines: ['Te ha nombrado {actor}. Allí puedes cambiarlo todo, eliminarla y ceder la propiedad.'],
      action: 'Abrir {organization}',
      closing: 'Si no lo quieres, puedes ceder la propiedad a otro miembro.',
    },
    invitation: {
      subject: '{actor} te invita a {organization}',
      title: '{actor} te invita a {organization}',
      lines: ['Tu papel allí: {role}. La invitación vale hasta el {until}.'],
      action: 'Ver la invitación',
      closing: '¿No conoces a {actor}? Ignora este mensaje: sin ti no pasa nada.',
    },
    invitationAccepted: {
      subject: '{actor} se ha unido a {organization}',
      title: '{actor} se ha unido a {organization}',
      lines: ['Tu invitación a {address} ha sido aceptada. Papel: {role}.'],
      action: 'Ver los miembros',
      closing: 'Recibes este mensaje porque enviaste la invitación.',
    },
    paymentFailed: {
      subject: 'Un pago no se ha completado',
      title: 'Un pago no se ha completado',
      lines: [
        'El pago de {about} no fue aceptado. Revisa la tarjeta o elige otra forma de pago; entonces se intentará de nuevo.',
      ],
      action: 'Ver la facturación',
      closing: 'Tu acceso sigue como está por ahora.',
    },
    subscriptionOnHold: {
      subject: 'Una suscripción está en espera',
      title: 'Una suscripción está en espera',
      lines: ['La suscripción de {about} está en espera porque falta el pago. Renueva la forma de pago y continuará.'],
      action: 'Ver la facturación',
      closing: 'Sin pago, los derechos de la suscripción terminan.',
    },
    subscriptionEnded: {
      subject: 'Una suscripción ha terminado',
      title: 'Una suscripción ha terminado',
      lines: ['La suscripción de {about} ha terminado. Puedes retomarla cuando quieras.'],
      action: 'Ver la facturación',
      closing: 'Tus pagos siguen en la lista.',
    },
  },
}
