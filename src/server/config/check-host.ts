import { once } from "node:events";
import { createServer } from "node:net";
import { ConfigError } from "./config.ts";

/** Throws ConfigError when this machine cannot listen on the address, so that nothing has been created by then. */
export async function checkHost(host: string): Promise<void> {
  const probe = createServer();
  try {
    await once(probe.listen(0, host), "listening");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(`HOST: cannot listen on ${host} (${reason})`, { cause });
  } finally {
    probe.close();
  }
}
