import {
  CHANNEL_CONFIGS,
  type ChannelType,
  CreateChannelInput,
  EmailConfig,
  type NoticeChannel,
  UpdateChannelInput,
} from "@shared/notice-channels.ts";
import { NoticeType } from "@shared/notices.ts";
import { z } from "zod";
import { TYPES_FOR_ROBOTS } from "./notice-groups";

const ConfigTexts = z.object({
  url: z.string(),
  secret: z.string(),
  host: z.string(),
  port: z.string(),
  security: EmailConfig.shape.security,
  user: z.string(),
  password: z.string(),
  sender: z.string(),
});
type ConfigTexts = z.infer<typeof ConfigTexts>;

/** What the fields of every type hold; only those of its type are shown and sent. */
const ChannelTexts = z.object({
  name: z.string(),
  isActive: z.boolean(),
  types: z.array(NoticeType),
  config: ConfigTexts,
});
export type ChannelValues = z.infer<typeof ChannelTexts>;

/** The ports that mail servers usually listen on. */
export const MAIL_PORTS: Readonly<Record<ConfigTexts["security"], string>> = {
  tls: "465",
  starttls: "587",
  none: "25",
};

export function createForm(type: ChannelType) {
  return ChannelTexts.transform((texts): unknown => ({
    ...texts,
    type,
    config: configOf(type, texts.config),
  })).pipe(CreateChannelInput);
}

/**
 * Of the configuration only what was changed: another super admin may have changed the rest
 * meanwhile. Addresses and secrets begin empty, and so stay as they are stored.
 */
export function editForm(channel: NoticeChannel) {
  const { id, type } = channel;
  const before = configOf(type, channelValues(channel).config);

  return ChannelTexts.transform((texts): unknown => {
    const fields = Object.entries(configOf(type, texts.config));
    const changed = fields.filter(([name, value]) => value !== before[name]);
    return { ...texts, id, config: Object.fromEntries(changed) };
  }).pipe(UpdateChannelInput);
}

/** The fields that a channel of this type has, with the port as a number. */
function configOf(type: ChannelType, texts: ConfigTexts): Record<string, unknown> {
  const names = Object.keys(CHANNEL_CONFIGS[type].shape);
  const values = Object.entries({ ...texts, port: Number(texts.port) });
  return Object.fromEntries(values.filter(([name]) => names.includes(name)));
}

const NO_CONFIG: ConfigTexts = {
  url: "",
  secret: "",
  host: "",
  port: MAIL_PORTS.tls,
  security: "tls",
  user: "",
  password: "",
  sender: "",
};

export function newChannelValues(type: ChannelType): ChannelValues {
  const types = type === "email" ? NoticeType.options : TYPES_FOR_ROBOTS;
  return { name: "", isActive: true, types: [...types], config: NO_CONFIG };
}

export function channelValues({ name, isActive, types, config }: NoticeChannel): ChannelValues {
  const shown = {
    host: config.host ?? "",
    port: config.port === undefined ? NO_CONFIG.port : String(config.port),
    security: config.security ?? NO_CONFIG.security,
    user: config.user ?? "",
    sender: config.sender ?? "",
  };
  return { name, isActive, types, config: { ...NO_CONFIG, ...shown } };
}
