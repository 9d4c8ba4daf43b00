import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '../server/config.ts'

// Imported first by the tools that read the configuration, as `npm start` loads the same file.
const file = join(projectFolder, '.env')
if (existsSync(file)) process.loadEnvFile(file)
