import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

// Payment provider stub for the end-to-end tests: products, a checkout page and a customer portal. The tests deliver
// the resulting webhooks themselves, signed like the provider's.
createServer((request, response) => {
  let text = ''
  request.on('data', (part) => (text += part))
  request.on('end', () => answer(request, response, text === '' ? {} : JSON.parse(text)))
}).listen(Number(process.argv[2]), 'localhost')

let customerCount = 0

/** A subscription to Foyer Pro, as the tests deliver it. */
function planOf(id: string, changes: object) {
  return {
    subscription_id: id,
    product_id: 'pdt_pro',
    quantity: 1,
    status: 'active',
    currency: 'EUR',
    recurring_pre_tax_amount: 1900,
    tax_inclusive: true,
    payment_frequency_count: 1,
    payment_frequency_interval: 'Month',
    next_billing_date: '2027-01-15T00:00:00Z',
    cancel_at_next_billing_date: false,
    created_at: '2026-11-01T10:00:00Z',
    ...changes,
  }
}

function answer(request: IncomingMessage, response: ServerResponse, body: Record<string, unknown>): void {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const [, collection, id = '', action] = url.pathname.split('/')
  const send = (sent: unknown) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(sent))
  }
  if (url.pathname === '/products') {
    send({
      items: [
        {
          product_id: 'pdt_pro',
          name: 'Foyer Pro',
          description: 'For one',
          price: 1900,
          currency: 'EUR',
          is_recurring: true,
          tax_inclusive: true,
          price_detail: { payment_frequency_interval: 'Month', payment_frequency_count: 1 },
        },
        {
          product_id: 'pdt_book',
          name: 'The book',
          description: null,
          price: 2450,
          currency: 'EUR',
          is_recurring: false,
        },
      ],
    })
  } else if (url.pathname === '/checkouts') {
    send({ session_id: 'cks_1', checkout_url: `http://localhost:${process.argv[2]}/pay` })
  } else if (collection === 'payments') {
    // The payments of the tests exist in events only.
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end('{"message":"not found"}')
  } else if (url.pathname === '/refunds') {
    send({ refund_id: 'ref_1' })
  } else if (url.pathname === '/customers') {
    send({ customer_id: `cus_made_${process.pid}_${customerCount++}` })
  } else if (collection === 'subscriptions' && request.method === 'PATCH') {
    send(planOf(id, { cancel_at_next_billing_date: body['cancel_at_next_billing_date'] === true }))
  } else if (collection === 'subscriptions' && action === 'change-plan' && url.pathname.endsWith('/preview')) {
    send({
      immediate_charge: {
        effective_at: '2026-11-20T10:00:00Z',
        summary: { currency: 'EUR', total_amount: 1234, tax: 197 },
      },
      new_plan: { recurring_pre_tax_amount: 3800, currency: 'EUR' },
    })
  } else if (url.pathname.endsWith('/customer-portal/session')) {
    send({ link: `http://localhost:${process.argv[2]}/portal` })
  } else {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(
      `<!doctype html><html lang="en"><title>Shop</title><body><h1>${url.pathname.slice(1) || 'Shop'}</h1></body></html>`,
    )
  }
}
