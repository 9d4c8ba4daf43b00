/**
 * A document that a procedure returns, such as an invoice. REST sends it as a file to be saved under its name, and never as
 * a page of this origin; over tRPC it is JSON.
 */
export class PdfDocument {
  readonly bytes: Buffer
  readonly name: string

  constructor(bytes: Buffer, name: string) {
    this.bytes = bytes
    this.name = name
  }

  toJSON(): { name: string; base64: string } {
    return { name: this.name, base64: this.bytes.toString('base64') }
  }
}
