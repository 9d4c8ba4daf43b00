import classes from './AuthIllustration.module.css'

/** Illustration of an arched entrance with a half-open door, in the colors of the current scheme. */
export function AuthIllustration() {
  return (
    <svg
      className={classes.drawing}
      viewBox="0 0 640 800"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
      focusable="false"
    >
      <defs>
        <linearGradient id="wall" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" className={classes.wallTop} />
          <stop offset="1" className={classes.wallBottom} />
        </linearGradient>
        <linearGradient id="hall" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" className={classes.hallTop} />
          <stop offset="1" className={classes.hallBottom} />
        </linearGradient>
        <linearGradient id="light" x1="0.45" y1="0" x2="0.2" y2="1">
          <stop offset="0" className={classes.lightNear} />
          <stop offset="1" className={classes.lightFar} />
        </linearGradient>
      </defs>
      <rect width="640" height="800" fill="url(#wall)" />
      <rect y="612" width="640" height="188" className={classes.floor} />
      <path d="M0 612h640" className={classes.line} />
      <path d="M0 596h196M444 596h196" className={classes.line} />

      {/* the arch: frame, then the hall behind it */}
      <path d="M196 612V322a124 124 0 0 1 248 0v290z" className={classes.frame} />
      <path d="M212 612V322a108 108 0 0 1 216 0v290z" fill="url(#hall)" />
      <path d="M212 612V322a108 108 0 0 1 216 0v290" className={classes.line} />
      {/* a lamp hangs in the hall, and the floor continues there */}
      <path d="M352 214v64" className={classes.wire} />
      <path d="M336 294a16 16 0 0 1 32 0z" className={classes.light} />
      <path d="M300 612l14-44h114v44z" className={classes.farFloor} />

      {/* light on the floor, through the open half */}
      <path d="M316 612h112l92 188H120z" fill="url(#light)" />

      {/* the leaf, turned towards us */}
      <path d="M212 612V322a108 108 0 0 1 60-96.800l36 -2.200q10 0 10 11v404q0 8-8 10z" className={classes.leaf} />
      <path d="M234 346c0-42 20-76 46-86l12-2v142l-58 8zM234 440l58-6v148l-58 14z" className={classes.panel} />
      <circle cx="303" cy="446" r="5.5" className={classes.knob} />

      {/* a plant beside the door */}
      <path d="M512 612l-10-56h60l-10 56z" className={classes.pot} />
      <path
        d="M532 556c-4-44-30-60-48-66 4 34 22 56 48 66zm0 0c0-56 16-84 34-98 8 40-6 78-34 98zm0 0c-2-40-2-70-12-104 26 18 30 66 12 104z"
        className={classes.leaves}
      />
    </svg>
  )
}
