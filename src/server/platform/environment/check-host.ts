import { once } from "node:events";
import { createServer } from "node:net";
import { reasonOf, StartError } from "../errors.ts";

/**
 * Throws StartError when this machine cannot listen on the address, so that nothing has been
 * created by then.
 */
export async function checkHost(host: string): Promise<void> {
  const probe = createServer();
  try {
    await once(probe.listen(0, host), "listening");
  } catch (cause) {
    throw new StartError(`HOST: cannot listen on ${host} (${reasonOf(cause)})`, { cause });
  } finally {
    probe.close();
  }
}
