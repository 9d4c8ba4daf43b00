import type { NextFunction, Request, Response } from 'express'
import { normalizeIpAddress, isLoopback } from '../../foundation/ip-address.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { sendRefusal } from '../send.ts'

/** Headers added by proxies. A browser on this machine sends none of them. */
const proxyHeaders = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-.*)$/

/**
 * Serves development pages to this machine only: the socket is loopback, the request was not proxied, and the Host
 * header is a loopback name. With any other host name, another site could read these emails (DNS rebinding).
 */
export function loopbackOnly(request: Request, response: Response, next: NextFunction): void {
  const isForwarded = Object.keys(request.headers).some((name) => proxyHeaders.test(name))
  const isLocal = isLoopback(normalizeIpAddress(request.socket.remoteAddress) ?? '')
  const host = (request.headers.host ?? '').replace(/:\d+$/, '')
  if (isLocal && !isForwarded && isLoopback(host)) next()
  else sendRefusal(response, new Refusal('NOT_FOUND'))
}
