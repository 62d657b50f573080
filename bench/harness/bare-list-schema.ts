const text = { type: "string" } as const;
const integer = { type: "integer" } as const;
const nullableText = { ...text, nullable: true } as const;
const nullableInteger = { ...integer, nullable: true } as const;

/** What a list answers, for Fastify to write it by. */
export const LIST_SCHEMA = object({
  data: object({
    hosts: list(
      object({
        id: text,
        name: text,
        ucloudId: text,
        cpu: integer,
        memory: integer,
        disk: integer,
        osName: text,
        osType: text,
        region: text,
        zone: text,
        status: text,
        providerStatus: nullableText,
        chargeType: text,
        createTime: nullableInteger,
        expireTime: nullableInteger,
        ipSet: list(object({ Type: text, IP: text })),
        configId: nullableText,
        syncedAt: integer,
        goneAt: nullableInteger,
        users: list(object({ id: text, name: text, username: text, assignedAt: integer, assignedExpireTime: integer })),
      }),
    ),
    pagination: object({ page: integer, limit: integer, total: integer, totalPages: integer }),
  }),
});

function object<const Properties>(properties: Properties) {
  return { type: "object", properties } as const;
}

function list<const Items>(items: Items) {
  return { type: "array", items } as const;
}
