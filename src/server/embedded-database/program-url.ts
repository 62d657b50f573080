import { extname } from "node:path";

/** A module of this directory that is run by itself. Where the server is built, it is built too, and lies beside it. */
export function programUrl(name: string): URL {
  return new URL(`./${name}${extname(import.meta.url)}`, import.meta.url);
}
