// Keeps compiled code between starts: the server starts sooner, and does without the type stripper,
// which would stay in memory. Plain JavaScript, or the stripper would be loaded for this very file.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../build/compile-cache', import.meta.url)))
