import type { NextFunction, Request, Response } from 'express'
import { cleanAddress, isLoopback } from '../../foundation/address.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { answerRefusal } from '../respond.ts'

/** What proxies add; a browser on this machine sends none of them. */
const proxyHeaders = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-.*)$/

/**
 * Development pages answer to this machine alone: the socket is loopback, nothing was forwarded, and the page is asked for by
 * a loopback name, because another name for this address would be another site's page reading these mails (DNS rebinding).
 */
export function loopbackOnly(request: Request, response: Response, next: NextFunction): void {
  const isForwarded = Object.keys(request.headers).some((name) => proxyHeaders.test(name))
  const isLocal = isLoopback(cleanAddress(request.socket.remoteAddress) ?? '')
  const host = (request.headers.host ?? '').replace(/:\d+$/, '')
  if (isLocal && !isForwarded && isLoopback(host)) next()
  else answerRefusal(response, new Refusal('NOT_FOUND'))
}
