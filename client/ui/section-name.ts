import { createContext } from 'react'

/** The name of the section that a screen with several sections shows. */
export const SectionName = createContext<string | undefined>(undefined)
