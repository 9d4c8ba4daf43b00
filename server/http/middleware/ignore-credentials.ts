import type { NextFunction, Request, Response } from 'express'

/**
 * Lets only the cookies of a request identify its user: an access token or API key is removed, for paths that browsers
 * open, or whose headers are meant for another application.
 */
export function ignoreCredentials(request: Request, _response: Response, next: NextFunction): void {
  delete request.headers.authorization
  delete request.headers['x-api-key']
  next()
}
