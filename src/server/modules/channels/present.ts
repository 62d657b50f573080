import type { NoticeChannel } from "../../../shared/notice-channels.ts";
import type { ChannelRow } from "./entity.ts";
import type { ChannelSetup } from "./sealed-config.ts";

export const MASK = "••••";

type ChannelColumns = Pick<ChannelRow, "id" | "name" | "isActive" | "types"> &
  Pick<NoticeChannel, "pausedUntil">;

/** No secret, and of the address of a robot or receiver only its ends. */
export function presentChannel(
  { id, name, isActive, types, pausedUntil }: ChannelColumns,
  setup: ChannelSetup,
  lastDelivery: NoticeChannel["lastDelivery"],
): NoticeChannel {
  const { type } = setup;
  const config = shownConfig(setup);
  return { id, name, type, isActive, config, types, lastDelivery, pausedUntil };
}

function shownConfig(setup: ChannelSetup): NoticeChannel["config"] {
  switch (setup.type) {
    case "email": {
      const { host, port, security, user, password, sender } = setup.config;
      const shownPassword = password ? MASK : null;
      return { host, port, security, user: user || null, password: shownPassword, sender };
    }
    case "wecom":
      return { url: maskUrl(setup.config.url) };
    case "dingtalk":
    case "feishu":
    case "webhook":
      return { url: maskUrl(setup.config.url), secret: MASK };
  }
}

/** Characters of path and query. What is shorter is hidden whole, as its end would give it away. */
const SHOWS_ITS_END = 13;

/** The address of a robot is its password, too. Its end tells two of one provider apart. */
export function maskUrl(url: string): string {
  const { origin, href } = new URL(url);
  const hidden = href.slice(origin.length + 1);
  const end = hidden.length < SHOWS_ITS_END ? "" : hidden.slice(-4);
  return `${origin}/${MASK}${end}`;
}
