import { defaultProduct } from '../../shared/brand.ts'

// The build renders pages without a document.
const data: DOMStringMap = typeof document === 'undefined' ? {} : document.documentElement.dataset

/** The brand of this installation, as the server wrote it into the page. Logo and URL are empty if there are none. */
export const brand = {
  product: data['product'] ?? defaultProduct,
  logoUrl: data['logo'] ?? '',
  supportEmail: data['support'] ?? '',
}
