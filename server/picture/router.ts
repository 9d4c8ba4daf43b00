import { z } from 'zod'
import { UploadedPicture } from '../../shared/picture.ts'
import { protectedProcedure } from '../procedure/guards.ts'
import { router } from '../procedure/trpc.ts'
import { receivePicture } from './receive-picture.ts'

/** Uploads per network, by any users. */
const uploadLimit = { max: 60, seconds: 3600 }

const Bytes = z
  .instanceof(Buffer, { error: 'PICTURE_IS_INVALID' })
  .refine((bytes) => bytes.length > 0, 'PICTURE_IS_INVALID')

export const pictureRouter = router({
  upload: protectedProcedure
    .meta({
      rest: 'POST /api/pictures',
      summary: 'Upload a picture, to be set as that of a profile or as a logo',
      openTo: ['impersonator'],
      limit: uploadLimit,
      bodyType: 'picture',
    })
    .input(Bytes)
    .output(UploadedPicture)
    .mutation(({ ctx, input }) => receivePicture(ctx, input)),
})
