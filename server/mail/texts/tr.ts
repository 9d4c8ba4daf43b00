import type { MailTexts } from '../mail-texts.ts'

/** The Turkish texts of all mails. */
export const tr: MailTexts = {
  common: {
    when: 'Zaman',
    device: 'Cihaz',
    unknownDevice: 'Bilinmiyor',
    hint: 'Düğme çalışmazsa şu bağlantıyı açın:',
    password: 'Parola',
  },
  roles: {
    owner: 'Sahip',
    admin: 'Yönetici',
    member: 'Üye',
  },
  mails: {
    verifyEmail: {
      subject: 'E-posta adresinizi doğrulayın',
      title: '{name}, e-posta adresinizi doğrulayın',
      lines: ['{email} adresinin size ait olduğunu onaylayın. Bağlantının son geçerlilik zamanı: {until}.'],
      action: 'E-posta adresini doğrula',
      closing: 'Bunu siz istemediyseniz bu e-postayı yok sayın. Bağlantıyı açmadığınız sürece hiçbir şey olmaz.',
    },
    signUpAttempt: {
      subject: 'Birisi e-posta adresinizle hesap oluşturmaya çalıştı',
      title: 'Zaten bir hesabınız var',
      lines: [
        'Birisi, belki de siz, {email} adresiyle yeni bir hesap oluşturmaya çalıştı. Hiçbir şey değiştirilmedi.',
        'Bunu yapan sizseniz parolanızla oturum açın. Parolanızı unuttuysanız veya bu hesabı hiç kullanmadıysanız oturum açma sayfasında “Parolanızı mı unuttunuz?” seçeneğini kullanarak yeni bir parola belirleyin.',
      ],
      action: 'Oturum aç',
      closing: 'Bunu yapan siz değilseniz bu e-postayı yok sayın. Hesabınızla ilgili hiçbir bilgi paylaşılmadı.',
    },
    resetPassword: {
      subject: 'Parolanızı sıfırlayın',
      title: 'Parolanızı sıfırlayın',
      lines: [
        'Birisi, muhtemelen siz, {email} hesabının parolasını sıfırlamak istedi. Bağlantı yalnızca bir kez çalışır. Son geçerlilik zamanı: {until}. Yeni bir parola belirlediğinizde tüm oturumlar kapatılır.',
      ],
      action: 'Yeni parola belirle',
      closing: 'Bunu yapan siz değilseniz bu e-postayı yok sayın. Parolanız aynı kalır.',
    },
    passwordChanged: {
      subject: 'Parolanız değiştirildi',
      title: 'Parolanız değiştirildi',
      lines: ['{email} hesabının parolası az önce değiştirildi.'],
      closing:
        'Bunu yapan siz değilseniz oturum açma sayfasında “Parolanızı mı unuttunuz?” seçeneğini kullanın ve hemen yeni bir parola belirleyin. Bu işlem tüm oturumları kapatır.',
    },
    confirmEmailChange: {
      subject: 'E-posta adresi değişikliğini onaylayın',
      title: 'E-posta adresiniz değiştirilsin mi?',
      lines: [
        'Hesabınızın e-posta adresini {email} yerine {newEmail} olarak değiştirmek istediniz. Bağlantıyı, oturumunuzun açık olduğu tarayıcıda açın. Son geçerlilik zamanı: {until}. Ardından {newEmail} adresine bir doğrulama bağlantısı göndeririz.',
      ],
      action: 'E-posta adresini değiştir',
      closing:
        'Bunu yapan siz değilseniz bağlantıyı açmayın ve parolanızı hemen değiştirin. Başka birisi hesabınızda oturum açmış.',
    },
    emailChanged: {
      subject: 'E-posta adresiniz değiştirildi',
      title: 'E-posta adresiniz değiştirildi',
      lines: [
        'Hesabınız artık {email} adresini kullanmıyor. Bundan sonra tüm e-postaları {newEmail} adresine göndereceğiz.',
      ],
      closing: 'Bunu yapan siz değilseniz hemen destek ekibiyle iletişime geçin ve bu e-postayı kanıt olarak saklayın.',
    },
    confirmDeletion: {
      subject: 'Hesabınız silinsin mi?',
      title: 'Hesabınız silinsin mi?',
      lines: [
        '{email} hesabını ve tüm verilerini kalıcı olarak silmek için bu bağlantıyı kullanın. Bağlantı yalnızca bir kez ve yalnızca oturumunuzun açık olduğu tarayıcıda çalışır. Son geçerlilik zamanı: {until}.',
      ],
      action: 'Hesabı sil',
      closing:
        'Bunu yapan siz değilseniz bağlantıyı açmayın ve parolanızı hemen değiştirin. Başka birisi hesabınızda oturum açmış.',
    },
    deleted: {
      subject: 'Hesabınız silindi',
      title: 'Hoşça kalın, {name}',
      lines: ['{email} hesabı ve tüm verileri silindi.'],
      closing: 'Bunu yapan siz değilseniz destek ekibiyle iletişime geçin ve bu e-postayı kanıt olarak saklayın.',
    },
    apiKeyCreated: {
      subject: 'Bir API anahtarı oluşturuldu',
      title: 'Bir API anahtarı oluşturuldu',
      lines: [
        '{email} hesabınız için {key} API anahtarı oluşturuldu. Bu anahtara sahip olan herkes sizin adınıza işlem yapabilir.',
      ],
      closing: 'Bunu yapan siz değilseniz anahtarı ayarlarınızdan silin ve parolanızı hemen değiştirin.',
    },
    twoFactorEnabled: {
      subject: 'İki adımlı doğrulama açıldı',
      title: 'İki adımlı doğrulama açıldı',
      lines: [
        'Bundan sonra {email} hesabında oturum açmak için kimlik doğrulama uygulamanızdan bir kod da gerekir. Diğer oturumlarınız kapatıldı.',
      ],
      closing: 'Bunu yapan siz değilseniz parolanızı hemen değiştirin ve ayarlarınızdan oturumları kontrol edin.',
    },
    twoFactorDisabled: {
      subject: 'İki adımlı doğrulama kapatıldı',
      title: 'İki adımlı doğrulama kapatıldı',
      lines: ['{email} hesabında oturum açmak için artık kod gerekmiyor. Kurtarma kodları artık çalışmaz.'],
      closing: 'Bunu yapan siz değilseniz parolanızı hemen değiştirin ve ayarlarınızdan oturumları kontrol edin.',
    },
    recoveryCodesReplaced: {
      subject: 'Kurtarma kodlarınız değiştirildi',
      title: 'Kurtarma kodlarınız değiştirildi',
      lines: ['{email} hesabı için yeni kurtarma kodları oluşturuldu. Eski kodlar artık çalışmaz.'],
      closing: 'Bunu yapan siz değilseniz parolanızı hemen değiştirin ve ayarlarınızdan oturumları kontrol edin.',
    },
    recoveryCodeUsed: {
      subject: 'Bir kurtarma kodu kullanıldı',
      title: 'Bir kurtarma kodu kullanıldı',
      lines: ['{email} hesabında oturum açmak için bir kurtarma kodu kullanıldı. Kalan kod: {left}'],
      closing: 'Bunu yapan siz değilseniz parolanızı hemen değiştirin ve ayarlarınızdan oturumları kontrol edin.',
    },
    signInCode: {
      subject: 'Oturum açma kodunuz',
      title: 'Oturum açma kodunuz',
      lines: [
        '{email} hesabında oturum açmak için bu kodu girin: {code}',
        'Kod yalnızca bir kez çalışır. Son geçerlilik zamanı: {until}.',
      ],
      closing: 'Bunu siz istemediyseniz bu e-postayı yok sayın. Bu kodu asla kimseyle paylaşmayın.',
    },
    verificationCode: {
      subject: 'Doğrulama kodunuz',
      title: 'Doğrulama kodunuz',
      lines: [
        '{email} adresini doğrulamak için bu kodu girin: {code}',
        'Kod yalnızca bir kez çalışır. Son geçerlilik zamanı: {until}.',
      ],
      closing: 'Bunu siz istemediyseniz bu e-postayı yok sayın. Bu kodu asla kimseyle paylaşmayın.',
    },
    resetCode: {
      subject: 'Parola sıfırlama kodunuz',
      title: 'Parola sıfırlama kodunuz',
      lines: [
        '{email} hesabına yeni bir parola belirlemek için bu kodu girin: {code}',
        'Kod yalnızca bir kez çalışır. Son geçerlilik zamanı: {until}.',
      ],
      closing: 'Bunu siz istemediyseniz bu e-postayı yok sayın. Bu kodu asla kimseyle paylaşmayın.',
    },
    signInLink: {
      subject: 'Oturum açma bağlantınız',
      title: 'Oturum açma bağlantınız',
      lines: [
        'Bağlantıyı, istekte bulunduğunuz tarayıcıda açın veya bu kodu o tarayıcıya girin: {code}',
        'Bağlantı ve kod yalnızca bir kez çalışır. Son geçerlilik zamanı: {until}.',
      ],
      action: 'Oturum aç',
      closing: 'Bunu siz istemediyseniz bu e-postayı yok sayın. Bu kodu asla kimseyle paylaşmayın.',
    },
    passkeyAdded: {
      subject: 'Bir geçiş anahtarı eklendi',
      title: 'Bir geçiş anahtarı eklendi',
      lines: ['{key} geçiş anahtarı eklendi. Bununla {email} hesabında parola olmadan oturum açılabilir.'],
      closing: 'Bunu yapan siz değilseniz parolanızı hemen değiştirin ve ayarlarınızdan oturumları kontrol edin.',
    },
    passkeyRemoved: {
      subject: 'Bir geçiş anahtarı kaldırıldı',
      title: 'Bir geçiş anahtarı kaldırıldı',
      lines: ['{email} hesabının {key} geçiş anahtarı kaldırıldı. Artık bununla oturum açılamaz.'],
      closing: 'Bunu yapan siz değilseniz parolanızı hemen değiştirin ve ayarlarınızdan oturumları kontrol edin.',
    },
    passkeyRefused: {
      subject: 'Bir geçiş anahtarı reddedildi',
      title: 'Bir geçiş anahtarı reddedildi',
      lines: [
        '{email} hesabının {key} geçiş anahtarı, kopyalanmış olabileceği için reddedildi. Az önce kullandıysanız güvenlik ayarlarından kaldırıp yenisini ekleyin.',
      ],
      action: 'Güvenlik ayarlarını aç',
      closing: 'Bunu yapan siz değilseniz hemen kaldırın ve ayarlarınızdan oturumları kontrol edin.',
    },
    twoFactorRemovalCanceled: {
      subject: 'İki adımlı doğrulama açık kalıyor',
      title: 'İki adımlı doğrulama açık kalıyor',
      lines: [
        '{email} hesabının iki adımlı doğrulamasının kaldırılması iptal edildi: ikinci bir faktör kullanıldı ya da hesabınızda oturum açmış biri iptal etti.',
      ],
      closing: 'Bunu yapan siz değilseniz bir yöneticiden tüm oturumlarınızı kapatmasını isteyin.',
    },
    unverifiedFactorsRemoved: {
      subject: 'Oturum açma yöntemleri kaldırıldı',
      title: 'Oturum açma yöntemleri kaldırıldı',
      lines: [
        '{email} adresinin size ait olduğunu onayladınız. Daha önce eklenmiş geçiş anahtarları ve kimlik doğrulama uygulamaları, başka biri eklemiş olabileceği için kaldırıldı.',
        'Bunlar size aitse güvenlik ayarlarında yeniden ekleyin.',
      ],
      action: 'Güvenlik ayarlarını aç',
      closing: 'Bunu beklemiyorduysanız destek ekibiyle iletişime geçin.',
    },
    twoFactorRemoval: {
      subject: 'İki adımlı doğrulama kaldırılacak',
      title: 'İki adımlı doğrulama kaldırılacak',
      lines: [
        'Kaybolduğu bildirildiği için bir yönetici, {email} hesabının iki adımlı doğrulamasını {until} tarihinde kaldıracak. Bunu iptal etmek için kodlarınızdan biriyle oturum açın.',
      ],
      closing: 'Bunu siz istemediyseniz parolanızı hemen değiştirin ve ayarlarınızdan oturumları kontrol edin.',
    },
    secondStepCode: {
      subject: 'İki adımlı doğrulama kodunuz',
      title: 'İki adımlı doğrulama kodunuz',
      lines: [
        '{email} hesabında oturum açmayı tamamlamak için bu kodu girin: {code}',
        'Kod yalnızca bir kez çalışır. Son geçerlilik zamanı: {until}.',
      ],
      closing:
        'Bunu yapan siz değilseniz birisi parolanızı biliyor: hemen değiştirin. Bu kodu asla kimseyle paylaşmayın.',
    },
    secondStepFailed: {
      subject: 'Oturum açarken yanlış kodlar',
      title: 'Oturum açarken yanlış kodlar',
      lines: [
        '{email} için beş yanlış kod girildi. Bundan önceki adım başarılı oldu, bu nedenle birisi parolanızı biliyor olabilir.',
      ],
      closing: 'Bunu yapan siz değilseniz parolanızı hemen değiştirin.',
    },
    endpointDisabled: {
      subject: 'Bir webhook devre dışı bırakıldı',
      title: 'Bir webhook devre dışı bırakıldı',
      lines: [
        'Beş gün boyunca {host} adresine hiçbir olay teslim edilemediği için oraya artık olay gönderilmiyor. Bu süredeki olaylar saklanıyor ve API ile okunabilir.',
      ],
      action: 'Teslimatları görüntüle',
      closing:
        'Alıcı taraftaki sorunu giderin, ardından webhook’u yeniden etkinleştirin. Bekleyen olaylar o zaman gönderilir.',
    },
    endpointGone: {
      subject: 'Bir webhook devre dışı bırakıldı',
      title: 'Bir webhook devre dışı bırakıldı',
      lines: [
        '{host} bir olaya “410 Gone” yanıtını verdi. Bu, artık olay almak istemediği anlamına gelir, bu yüzden oraya artık olay gönderilmiyor. Sonraki olaylar saklanır ve API ile okunabilir.',
      ],
      action: 'Teslimatları görüntüle',
      closing:
        'Bu kasıtlı değilse alıcı taraftaki sorunu giderin, ardından webhook’u yeniden etkinleştirin. Bekleyen olaylar o zaman gönderilir.',
    },
    accountLinked: {
      subject: 'Hesabınıza {provider} bağlandı',
      title: 'Hesabınıza {provider} bağlandı',
      lines: ['Artık {email} hesabında {provider} ile oturum açabilirsiniz.'],
      closing:
        'Bunu yapan siz değilseniz ayarlarınızdan {provider} bağlantısını kaldırın ve parolanızı hemen değiştirin.',
    },
    accountUnlinked: {
      subject: 'Oturum açma yönteminin bağlantısı kaldırıldı: {provider}',
      title: 'Oturum açma yönteminin bağlantısı kaldırıldı: {provider}',
      lines: ['Artık {email} hesabınızda {provider} ile oturum açılamaz.'],
      closing: 'Bunu yapan siz değilseniz parolanızı hemen değiştirin ve ayarlarınızdan oturumları kontrol edin.',
    },
    usernameChanged: {
      subject: 'Kullanıcı adınız değiştirildi',
      title: 'Kullanıcı adınız değiştirildi',
      lines: ['{email} hesabının yeni kullanıcı adı: {username}.'],
      closing: 'Bunu yapan siz değilseniz parolanızı hemen değiştirin ve ayarlarınızdan oturumları kontrol edin.',
    },
    confirmIdentity: {
      subject: 'Onay kodunuz',
      title: 'Onay kodunuz',
      lines: [
        'Siz olduğunuzu onaylamak için bu kodu girin: {code}',
        'Kod yalnızca bir kez çalışır. Son geçerlilik zamanı: {until}.',
      ],
      closing:
        'Bunu siz istemediyseniz başka birisi hesabınızı kullanıyor. Ayarlarınızdan diğer tüm oturumları kapatın. Bu kodu asla kimseyle paylaşmayın.',
    },
    emailChangeRejected: {
      subject: 'E-posta adresiniz eski hâline döndürüldü',
      title: 'E-posta adresiniz eski hâline döndürüldü',
      lines: [
        '{newEmail} adresinin sahibi, bu adresin hesabınıza ait olmadığını bize bildirdi. Hesabınız yeniden {email} adresini kullanıyor.',
      ],
      closing: 'Yeni e-posta adresini yanlış yazdıysanız ayarlarınızdan yeniden değiştirin.',
    },
    accountCreated: {
      subject: 'Sizin için bir hesap oluşturuldu',
      title: 'Sizin için bir hesap oluşturuldu',
      lines: [
        '{actor}, {email} için bir hesap oluşturdu.',
        'Size verilen parolayla oturum açın. Kendi parolanızı belirlemek için oturum açma sayfasında “Parolanızı mı unuttunuz?” seçeneğini kullanın.',
      ],
      action: 'Oturum aç',
      closing: 'Bunu beklemiyorduysanız bu e-postayı yok sayın veya destek ekibiyle iletişime geçin.',
    },
    administratorGranted: {
      subject: 'Artık yöneticisiniz',
      title: 'Artık yöneticisiniz',
      lines: [
        '{email} hesabı artık yönetici rolüne sahip.',
        'Hesabınızın geçiş anahtarları: {passkeys}. Güvenlik ayarlarında, sizin eklemediklerinizi ve sizin ayarlamadığınız kimlik doğrulama uygulamasını kaldırın.',
      ],
      action: 'Güvenlik ayarlarını aç',
      closing: 'Bunu beklemiyorduysanız destek ekibiyle iletişime geçin.',
    },
    administratorAdded: {
      subject: 'Yeni yönetici: {newAdministrator}',
      title: 'Yeni yönetici: {newAdministrator}',
      lines: ['{newAdministrator} ({newAdministratorEmail}) artık yönetici rolüne sahip.'],
      closing: 'Bunu beklemiyorduysanız rolü Yönetim bölümünden kaldırın.',
    },
    administratorRevoked: {
      subject: 'Artık yönetici değilsiniz',
      title: 'Artık yönetici değilsiniz',
      lines: ['{email} hesabı artık yönetici rolüne sahip değil.'],
      closing: 'Sorularınız varsa destek ekibiyle iletişime geçin.',
    },
    newDevice: {
      subject: 'Hesabınızda yeni bir oturum açıldı',
      title: 'Hesabınızda yeni bir oturum açıldı',
      lines: ['Birisi az önce {email} hesabında yeni bir cihazla oturum açtı.'],
      closing:
        'Bunu yapan sizseniz bir şey yapmanız gerekmez. Değilseniz parolanızı hemen değiştirin ve ayarlarınızdan bu oturumu kapatın.',
    },
    roleChanged: {
      subject: '{organization} kuruluşundaki rolünüz değiştirildi',
      title: '{organization} kuruluşundaki rolünüz değiştirildi',
      lines: ['{actor} rolünüzü değiştirdi. Yeni rolünüz: {role}.'],
      action: '{organization} kuruluşunu aç',
      closing: 'Sorularınız varsa {organization} kuruluşunun sahiplerinden biriyle iletişime geçin.',
    },
    secondFactorRequired: {
      subject: '{organization} ikinci bir faktör gerektiriyor',
      title: '{organization} ikinci bir faktör gerektiriyor',
      lines: [
        '{until} tarihinden itibaren üyelerin {organization} kuruluşunu açmak için ikinci bir faktöre ihtiyacı var: bir geçiş anahtarı veya kimlik doğrulama uygulaması. Sizde henüz yok.',
      ],
      action: 'İkinci bir faktör ayarla',
      closing: 'Sorularınız varsa {organization} kuruluşunun sahiplerinden biriyle iletişime geçin.',
    },
    memberRemoved: {
      subject: '{organization} kuruluşundan kaldırıldınız',
      title: '{organization} kuruluşundan kaldırıldınız',
      lines: ['{actor} sizi kuruluştan kaldırdı. Hesabınız bundan etkilenmez.'],
      closing: 'Bu bir hataysa {actor} adlı kişiden yeni bir davet isteyin.',
    },
    ownershipReceived: {
      subject: 'Artık {organization} kuruluşunun sahibisiniz',
      title: 'Artık {organization} kuruluşunun sahibisiniz',
      lines: [
        '{actor} sizi kuruluşun sahibi yaptı. Kuruluşun tüm ayarlarını değiştirebilir, kuruluşu silebilir ve sahipliği devredebilirsiniz.',
      ],
      action: '{organization} kuruluşunu aç',
      closing: 'Bu rolü istemiyorsanız sahipliği başka bir üyeye devredebilirsiniz.',
    },
    invitation: {
      subject: '{actor} sizi {organization} kuruluşuna davet etti',
      title: '{actor} sizi {organization} kuruluşuna davet etti',
      lines: ['Rolünüz: {role}. Davetin sona erme zamanı: {until}.'],
      action: 'Daveti görüntüle',
      closing: '{actor} adlı kişiyi tanımıyorsanız bu e-postayı yok sayın. Kabul etmediğiniz sürece hiçbir şey olmaz.',
    },
    invitationAccepted: {
      subject: '{actor}, {organization} kuruluşuna katıldı',
      title: '{actor}, {organization} kuruluşuna katıldı',
      lines: ['{inviteeEmail} adresine gönderdiğiniz davet kabul edildi. Rol: {role}.'],
      action: 'Üyeleri görüntüle',
      closing: 'Bu e-postayı, daveti siz gönderdiğiniz için alıyorsunuz.',
    },
    paymentFailed: {
      subject: 'Ödeme başarısız oldu',
      title: 'Ödeme başarısız oldu',
      lines: [
        '{about} adına yapılan ödeme başarısız oldu. Kartınızı kontrol edin veya başka bir ödeme yöntemi kullanın. Ardından ödeme yeniden denenecek.',
      ],
      action: 'Faturalandırmayı görüntüle',
      closing: 'Erişiminiz şimdilik devam ediyor.',
    },
    subscriptionPastDue: {
      subject: 'Ödemenizin vadesi geçti',
      title: 'Ödemenizin vadesi geçti',
      lines: [
        '{about} adına kayıtlı aboneliğin ödemesi başarısız oldu. Aboneliğinizi korumak için ödeme yönteminizi güncelleyin.',
      ],
      action: 'Faturalandırmayı görüntüle',
      closing: 'Erişiminiz şimdilik devam ediyor.',
    },
    trialEnding: {
      subject: 'Ücretsiz deneme süreniz yakında sona eriyor',
      title: 'Ücretsiz deneme süreniz yakında sona eriyor',
      lines: [
        '{about} adına kayıtlı ücretsiz denemenin sona erme zamanı: {until}. Sonrasında abonelik ücretlendirilecek.',
      ],
      action: 'Faturalandırmayı görüntüle',
      closing: 'Devam etmek istemiyorsanız aboneliği bu zamandan önce iptal edin.',
    },
    subscriptionOnHold: {
      subject: 'Aboneliğiniz askıda',
      title: 'Aboneliğiniz askıda',
      lines: [
        'Vadesi geçmiş bir ödeme nedeniyle {about} adına kayıtlı abonelik askıda. Aboneliğinizi korumak için ödeme yönteminizi güncelleyin.',
      ],
      action: 'Faturalandırmayı görüntüle',
      closing: 'Ödeme yapılmazsa aboneliğin özelliklerine erişiminizi kaybedersiniz.',
    },
    subscriptionEnded: {
      subject: 'Aboneliğiniz sona erdi',
      title: 'Aboneliğiniz sona erdi',
      lines: ['{about} adına kayıtlı abonelik sona erdi. İstediğiniz zaman yeniden abone olabilirsiniz.'],
      action: 'Faturalandırmayı görüntüle',
      closing: 'Geçmiş ödemeleriniz Faturalandırma bölümünde listelenmeye devam eder.',
    },
  },
}
