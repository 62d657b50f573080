import { z } from "zod";
import { Id } from "./ids.ts";
import { labelledEnum, requiredText, trimmedText } from "./text.ts";
import { UnixSeconds } from "./time.ts";

/** Live ones of one user. */
export const MAX_API_TOKENS = 20;
export const MAX_API_TOKEN_DAYS = 366;
const MAX_ALLOWED_ADDRESSES = 20;

export const TOKEN_SCOPE_LABELS = { read: "只读", full: "读写" } as const;
export const TokenScope = labelledEnum(
  "TokenScope",
  "权限",
  TOKEN_SCOPE_LABELS,
  "权限只能是 read 或 full",
);
export type TokenScope = z.infer<typeof TokenScope>;

const WRONG_ADDRESS = "请填写 IP 地址或网段，例如 203.0.113.7 或 203.0.113.0/24";

/** An IPv4 or IPv6 address, or a network of such addresses in CIDR notation. */
const AllowedAddress = trimmedText()
  .refine(isAddressOrNetwork, WRONG_ADDRESS)
  .meta({ description: "IP 地址或网段（CIDR）", examples: ["203.0.113.0/24"] });

function isAddressOrNetwork(value: string): boolean {
  const kinds = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()];
  return kinds.some((kind) => kind.safeParse(value).success);
}

const Name = z.string().meta({ description: "名称", examples: ["月度报表"] });

export const ApiToken = z
  .object({
    id: Id,
    name: Name,
    hint: z.string().meta({ description: "令牌的最后 4 个字符，便于辨认", examples: ["k3Zq"] }),
    scope: TokenScope,
    allowedAddresses: z
      .array(z.string())
      .describe("只能从这些 IP 地址或网段使用；空数组表示不限制"),
    createdAt: UnixSeconds.describe("创建时间"),
    expiresAt: UnixSeconds.describe("到期时间；到期后还会在列表中保留 30 天"),
    lastUsedAt: UnixSeconds.nullable().describe("最近使用时间，精确到分钟；从未使用时为 null"),
    lastUsedAddress: z.string().nullable().describe("最近使用时的 IP 地址；从未使用时为 null"),
  })
  .meta({ id: "ApiToken", description: "供程序使用的 API 令牌，不含令牌本身" });
export type ApiToken = z.infer<typeof ApiToken>;

export const CreateApiTokenInput = z
  .strictObject({
    name: requiredText("名称", 100).meta({ description: "名称", examples: ["月度报表"] }),
    expiresAt: UnixSeconds.describe(`到期时间，必须在将来，最多 ${MAX_API_TOKEN_DAYS} 天之后`),
    scope: TokenScope,
    allowedAddresses: z
      .array(AllowedAddress)
      .max(MAX_ALLOWED_ADDRESSES, `最多填写 ${MAX_ALLOWED_ADDRESSES} 个地址或网段`)
      .default([])
      .describe("只能从这些 IP 地址或网段使用；不填或空数组表示不限制"),
  })
  .meta({ id: "CreateApiTokenInput" });
export type CreateApiTokenInput = z.infer<typeof CreateApiTokenInput>;

export const CreatedApiToken = ApiToken.extend({
  token: z.string().meta({
    description: "令牌，只显示这一次，以 `Authorization: Bearer <token>` 发送",
    examples: ["hct_6rTn0bWq3XkLz8VdYp1HsGc5JmEa9UfQi2RoKtNxBv4wMyCAZ"],
  }),
}).meta({ id: "CreatedApiToken", description: "新建的 API 令牌" });
export type CreatedApiToken = z.infer<typeof CreatedApiToken>;

export const RevokeUserTokenInput = z
  .strictObject({
    id: Id.describe("用户的标识"),
    tokenId: Id.describe("API 令牌的标识"),
  })
  .meta({ id: "RevokeUserTokenInput" });
export type RevokeUserTokenInput = z.infer<typeof RevokeUserTokenInput>;
