/**
 * A document that a procedure returns, such as an invoice. REST sends it as a file to be saved under its name, and
 * never as a page of this origin.
 */
export type PdfDocument = { pdf: Buffer; name: string }

export function isPdfDocument(value: unknown): value is PdfDocument {
  return typeof value === 'object' && value !== null && 'pdf' in value && Buffer.isBuffer(value.pdf)
}
