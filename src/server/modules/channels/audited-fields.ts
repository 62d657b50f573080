import type { Fields } from "../audit-records/field-changes.ts";
import type { ChannelRow } from "./entity.ts";
import type { ChannelSetup } from "./sealed-config.ts";

type AuditedChannel = Pick<ChannelRow, "name" | "isActive" | "types">;

/** What the audit log compares. Of addresses and secrets an entry says only that they changed. */
export function auditedFields(
  { name, isActive, types }: AuditedChannel,
  setup: ChannelSetup,
): Fields {
  return { name, type: setup.type, isActive, types, ...configFields(setup) };
}

function configFields(setup: ChannelSetup): Fields {
  switch (setup.type) {
    case "email": {
      const { host, port, security, user, password, sender } = setup.config;
      return {
        "config.host": host,
        "config.port": port,
        "config.security": security,
        "config.user": user || null,
        "config.password": password || null,
        "config.sender": sender,
      };
    }
    case "wecom":
      return { "config.url": setup.config.url };
    case "dingtalk":
    case "feishu":
    case "webhook":
      return { "config.url": setup.config.url, "config.secret": setup.config.secret };
  }
}
