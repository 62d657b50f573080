import { fileURLToPath } from "node:url";

/** How the console imports its own files and those that it shares; tsconfig.json says the same. */
export const ALIASES = {
  "@shared": fileURLToPath(new URL("../shared", import.meta.url)),
  "@": import.meta.dirname,
};
