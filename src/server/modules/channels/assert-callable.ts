import { AddressRefused } from "../../platform/egress/guard.ts";
import { invalidField } from "../../platform/errors.ts";
import type { ChannelsDeps } from "./deps.ts";
import type { ChannelSetup } from "./sealed-config.ts";

type GuardDeps = Pick<ChannelsDeps, "outbound">;

/**
 * Throws INVALID_INPUT when the address of a channel must not be called. It is checked again by each
 * connection; here a person learns it at once.
 */
export async function assertCallable(
  deps: GuardDeps,
  { type, config }: ChannelSetup,
): Promise<void> {
  if (type === "email") await assertServer(deps, config);
  else await assertUrl(deps, config.url);
}

async function assertUrl({ outbound }: GuardDeps, url: string): Promise<void> {
  const verdict = await outbound.checkUrl(url);
  if (!verdict.ok) throw invalidField("config.url", verdict.message);

  const isSecure = new URL(url).protocol === "https:";
  if (!isSecure && !outbound.isAllowed(url)) {
    throw invalidField("config.url", "地址必须以 https:// 开头");
  }
}

/** A name that cannot be resolved now is accepted, as that of a URL is. */
async function assertServer(
  { outbound }: GuardDeps,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  try {
    await outbound.resolveChecked(host, port);
  } catch (error) {
    if (!(error instanceof AddressRefused)) return;
    throw invalidField("config.host", "服务器地址不能指向内网、本机或保留地址");
  }
}
