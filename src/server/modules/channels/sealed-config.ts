import { z } from "zod";
import {
  EmailConfig,
  SignedRobotConfig,
  WebhookConfig,
  WecomConfig,
} from "../../../shared/notice-channels.ts";
import type { Deps } from "../../platform/deps.ts";
import { locateSecret, type SealedColumn } from "../../platform/secrets.ts";
import type { ChannelRow } from "./entity.ts";

export const CHANNEL_CONFIG: SealedColumn = { table: "notice_channels", column: "config_sealed" };

/** A channel's type with its opened configuration. */
export const ChannelSetup = z.discriminatedUnion("type", [
  z.object({ type: z.literal("email"), config: EmailConfig }),
  z.object({ type: z.literal("wecom"), config: WecomConfig }),
  z.object({ type: z.literal("dingtalk"), config: SignedRobotConfig }),
  z.object({ type: z.literal("feishu"), config: SignedRobotConfig }),
  z.object({ type: z.literal("webhook"), config: WebhookConfig }),
]);
export type ChannelSetup = z.infer<typeof ChannelSetup>;

export function sealConfig(
  { secrets }: Pick<Deps, "secrets">,
  channelId: string,
  { config }: Pick<ChannelSetup, "config">,
): string {
  return secrets.seal(JSON.stringify(config), locateSecret(CHANNEL_CONFIG, channelId));
}

/** Throws when the value was tampered with, moved, or sealed with a key that is not held. */
export function openSetup(
  { secrets }: Pick<Deps, "secrets">,
  { id, type, configSealed }: Pick<ChannelRow, "id" | "type"> & { readonly configSealed: string },
): ChannelSetup {
  const config: unknown = JSON.parse(secrets.open(configSealed, locateSecret(CHANNEL_CONFIG, id)));
  return ChannelSetup.parse({ type, config });
}
