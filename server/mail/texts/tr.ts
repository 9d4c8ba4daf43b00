import type { MailTexts } from '../mail-texts.ts'

/** The Turkish texts of all mails. */
export const tr: MailTexts = {
  common: {
    when: 'Zaman',
    device: 'Cihaz',
    unknownDevice: 'Bilinmiyor',
    hint: 'Düğme çalışmazsa şu adresi açın:',
  },
  roles: {
    owner: 'Sahip',
    admin: 'Yönetici',
    member: 'Üye',
  },
  mails: {
    verifyEmail: {
      subject: 'Adresinizi doğrulayın',
      title: 'Adresinizi doğrulayın, {name}',
      lines: ['Tek bir tıklama {email} adresinin size ait olduğunu gösterir. Bağlantı {until} anına kadar geçerlidir.'],
      action: 'Adresi doğrula',
      closing: 'Hesap açmadınız mı? Bu iletiyi yok sayın: tıklamadığınız sürece hiçbir şey olmaz.',
    },
    signUpAttempt: {
      subject: 'Biri sizin adresinizle hesap açmaya çalıştı',
      title: 'Zaten bir hesabınız var',
      lines: [
        'Biri, belki de siz, {email} ile yeni bir hesap açmaya çalıştı. Hiçbir şey değişmedi.',
        'Siz idiyseniz: parolanızla oturum açın. Parolayı hatırlamıyorsanız ya da bu hesabı hiç kullanmadıysanız orada yenisini belirleyin.',
      ],
      action: 'Oturum aç',
      closing: 'Siz değilseniz bir şey yapmanız gerekmez. Deneyen kişi hesabınız hakkında hiçbir şey öğrenmedi.',
    },
    resetPassword: {
      subject: 'Yeni parola belirleyin',
      title: 'Yeni parola belirleyin',
      lines: [
        'Biri, muhtemelen siz, {email} için yeni bir parola istedi. Bağlantı bir kez ve {until} anına kadar çalışır. Kullanıldığında tüm oturumlar kapanır.',
      ],
      action: 'Parolayı belirle',
      closing: 'Siz değil miydiniz? Bu iletiyi yok sayın: parolanız olduğu gibi kalır.',
    },
    passwordChanged: {
      subject: 'Parolanız değiştirildi',
      title: 'Parolanız değiştirildi',
      lines: ['{email} hesabının parolası az önce yenilendi.'],
      closing:
        'Siz değil miydiniz? Oturum açma ekranındaki “Parolanızı mı unuttunuz?” ile hemen yenisini belirleyin: bu, tüm oturumları kapatır.',
    },
    confirmEmailChange: {
      subject: 'Yeni adresinizi onaylayın',
      title: 'Adresinizi değiştirmek istiyor musunuz?',
      lines: [
        'Hesabınız {email} adresinden {newEmail} adresine taşınacak. Bağlantıyı {until} anına kadar oturumunuzun açık olduğu tarayıcıda açın. Ardından yeni adres ayrı bir iletiyle doğrulanır.',
      ],
      action: 'Adresi değiştir',
      closing: 'Siz değil miydiniz? Bu iletiyi yok sayın ve parolanızı değiştirin: hesabınızda biri oturum açmış.',
    },
    emailChanged: {
      subject: 'Adresiniz değiştirildi',
      title: 'Hesabınızın yeni bir adresi var',
      lines: ['Hesabınız artık {email} adresine ait değil. Bundan sonra iletileri {newEmail} adresine gider.'],
      closing: 'Siz değil miydiniz? Hemen bu hizmeti işletenlere yazın; bu ileti kanıtınızdır.',
    },
    confirmDeletion: {
      subject: 'Hesabınız silinsin mi?',
      title: 'Hesabınızı silmek istiyor musunuz?',
      lines: [
        'Bu bağlantıyla {email} hesabını ve ona ait her şeyi kalıcı olarak silersiniz. Bir kez, {until} anına kadar, oturumunuzun açık olduğu tarayıcıda çalışır.',
      ],
      action: 'Hesabı sil',
      closing: 'Siz değil miydiniz? Bu iletiyi yok sayın ve parolanızı değiştirin: hesabınızda biri oturum açmış.',
    },
    deleted: {
      subject: 'Hesabınız silindi',
      title: 'Hoşça kalın, {name}',
      lines: ['{email} hesabı ve ona ait her şey silindi.'],
      closing: 'Siz değil miydiniz? Bu hizmeti işletenlere yazın; bu ileti kanıtınızdır.',
    },
    accountLinked: {
      subject: 'Hesabınıza {provider} bağlandı',
      title: 'Hesabınıza {provider} bağlandı',
      lines: ['Artık {email} hesabında {provider} ile oturum açabilirsiniz.'],
      closing:
        'Bu işlemi siz yapmadıysanız ayarlarınızdan {provider} bağlantısını kaldırın ve parolanızı hemen değiştirin.',
    },
    accountUnlinked: {
      subject: 'Hesabınızın {provider} bağlantısı kaldırıldı',
      title: 'Hesabınızın {provider} bağlantısı kaldırıldı',
      lines: ['Artık {email} hesabında {provider} ile oturum açılamaz.'],
      closing: 'Bu işlemi siz yapmadıysanız parolanızı hemen değiştirin ve ayarlarınızdan oturumları kontrol edin.',
    },
    usernameChanged: {
      subject: 'Kullanıcı adınız değiştirildi',
      title: 'Kullanıcı adınız değiştirildi',
      lines: ['{email} hesabının yeni kullanıcı adı: {username}.'],
      closing: 'Bu işlemi siz yapmadıysanız parolanızı hemen değiştirin ve ayarlarınızdan oturumları kontrol edin.',
    },
    confirmIdentity: {
      subject: 'Onay kodunuz',
      title: 'Onay kodunuz',
      lines: [
        'Siz olduğunuzu onaylamak için bu kodu girin: {code}',
        'Kod yalnızca bir kez kullanılabilir. Son geçerlilik zamanı: {until}.',
      ],
      closing:
        'Bu kodu siz istemediyseniz hesabınızı başka biri kullanıyor: ayarlarınızdan tüm oturumları sonlandırın. Bu kodu asla kimseyle paylaşmayın.',
    },
    emailChangeRejected: {
      subject: 'E-posta adresiniz eski haline döndürüldü',
      title: 'E-posta adresiniz eski haline döndürüldü',
      lines: [
        '{newEmail} adresinin sahibi, bu adresin hesabınıza ait olmadığını bize bildirdi. Hesabınızda yeniden {email} adresi kullanılıyor.',
      ],
      closing: 'Yeni adresi yanlış yazdıysanız ayarlarınızdan yeniden değiştirin.',
    },
    administratorGranted: {
      subject: 'Artık yöneticisiniz',
      title: 'Artık yöneticisiniz',
      lines: ['{email} hesabı artık yönetici haklarına sahip.'],
      closing: 'Bunu beklemiyorduysanız bu hizmeti işleten kişilerle iletişime geçin.',
    },
    administratorAdded: {
      subject: 'Yeni yönetici: {newAdministrator}',
      title: 'Yeni yönetici: {newAdministrator}',
      lines: ['{newAdministrator} ({newAdministratorEmail}) artık yönetici haklarına sahip.'],
      closing: 'Bunu beklemiyorduysanız yönetim bölümünden rolü kaldırın.',
    },
    administratorRevoked: {
      subject: 'Artık yönetici değilsiniz',
      title: 'Artık yönetici değilsiniz',
      lines: ['{email} hesabı artık yönetici haklarına sahip değil.'],
      closing: 'Sorularınız varsa bu hizmeti işleten kişilerle iletişime geçin.',
    },
    newDevice: {
      subject: 'Yeni bir cihazdan oturum açıldı',
      title: 'Yeni bir cihazdan oturum açıldı',
      lines: ['Biri az önce {email} hesabında daha önce görmediğimiz bir cihazla oturum açtı.'],
      closing:
        'Siz miydiniz? O hâlde sorun yok. Değilseniz parolanızı hemen değiştirin ve ayarlarınızdan oturumu kapatın.',
    },
    roleChanged: {
      subject: '{organization} içindeki rolünüz değişti',
      title: '{organization} içindeki rolünüz değişti',
      lines: ['Değişikliği yapan: {actor}. Yeni rolünüz: {role}.'],
      action: '{organization} kuruluşunu aç',
      closing: 'Sorularınızı {organization} sahipleri yanıtlayabilir.',
    },
    memberRemoved: {
      subject: 'Artık {organization} üyesi değilsiniz',
      title: 'Artık {organization} üyesi değilsiniz',
      lines: ['Üyeliğinizi sona erdiren: {actor}. Hesabınız olduğu gibi duruyor.'],
      closing: 'Bu bir yanlışlıksa {actor} adlı kişiden yeni bir davet isteyin.',
    },
    ownershipReceived: {
      subject: 'Artık {organization} sahibisiniz',
      title: 'Artık {organization} sahibisiniz',
      lines: [
        'Bu rolü veren: {actor}. Orada her şeyi değiştirebilir, kuruluşu silebilir ve sahipliği devredebilirsiniz.',
      ],
      action: '{organization} kuruluşunu aç',
      closing: 'Bunu istemiyorsanız sahipliği başka bir üyeye devredebilirsiniz.',
    },
    invitation: {
      subject: '{actor} sizi {organization} kuruluşuna davet ediyor',
      title: '{actor} sizi {organization} kuruluşuna davet ediyor',
      lines: ['Rolünüz: {role}. Davet {until} anına kadar geçerlidir.'],
      action: 'Daveti gör',
      closing: '{actor} adlı kişiyi tanımıyor musunuz? Bu iletiyi yok sayın: siz bir şey yapmadıkça hiçbir şey olmaz.',
    },
    invitationAccepted: {
      subject: '{actor} artık {organization} üyesi',
      title: '{actor} artık {organization} üyesi',
      lines: ['{address} adresine gönderdiğiniz davet kabul edildi. Rol: {role}.'],
      action: 'Üyeleri gör',
      closing: 'Bu iletiyi daveti siz gönderdiğiniz için alıyorsunuz.',
    },
    paymentFailed: {
      subject: 'Bir ödeme gerçekleşmedi',
      title: 'Bir ödeme gerçekleşmedi',
      lines: [
        '{about} için ödeme kabul edilmedi. Kartı denetleyin ya da başka bir ödeme yolu seçin; sonra yeniden denenir.',
      ],
      action: 'Faturalandırmayı gör',
      closing: 'Erişiminiz şimdilik olduğu gibi kalır.',
    },
    subscriptionOnHold: {
      subject: 'Bir abonelik beklemede',
      title: 'Bir abonelik beklemede',
      lines: ['{about} aboneliği, ödemesi eksik olduğu için beklemede. Ödeme yolunu yenileyin, devam eder.'],
      action: 'Faturalandırmayı gör',
      closing: 'Ödeme olmazsa aboneliğin hakları sona erer.',
    },
    subscriptionEnded: {
      subject: 'Bir abonelik sona erdi',
      title: 'Bir abonelik sona erdi',
      lines: ['{about} aboneliği sona erdi. İstediğiniz zaman yeniden başlatabilirsiniz.'],
      action: 'Faturalandırmayı gör',
      closing: 'Ödemeleriniz listede kalır.',
    },
  },
}
