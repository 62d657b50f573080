import type { Config } from "@shared/configs.ts";

/** The id of the name on a card: it describes buttons that are called the same on every card. */
export function titleIdOf({ id }: Pick<Config, "id">): string {
  return `config-${id}`;
}
