import { createServer } from 'node:http'

// Payment provider stub for the end-to-end tests: products, a checkout page and a customer portal. The tests deliver the
// resulting webhooks themselves, signed like the provider's.
createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const send = (body: unknown) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
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
  } else if (url.pathname.endsWith('/customer-portal/session')) {
    send({ link: `http://localhost:${process.argv[2]}/portal` })
  } else {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(
      `<!doctype html><html lang="en"><title>Shop</title><body><h1>${url.pathname.slice(1) || 'Shop'}</h1></body></html>`,
    )
  }
}).listen(Number(process.argv[2]), 'localhost')
