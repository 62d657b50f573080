import { z } from "zod";

/** Where 技术支持 and 帮助 of the console lead. */
export const ConsoleLinks = z.object({ support: z.url(), help: z.url() });
export type ConsoleLinks = z.infer<typeof ConsoleLinks>;

export const DEFAULT_CONSOLE_LINKS: ConsoleLinks = {
  support: "https://www.ucloud.cn/site/support.html",
  help: "https://docs.ucloud.cn/uhost/README",
};
