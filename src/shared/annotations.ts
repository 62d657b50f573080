import { z } from "zod";
import { Id } from "./ids.ts";
import { trimText } from "./invisible-text.ts";
import { limitedText, requiredCode, trimmedText } from "./text.ts";

/** Of one host. */
export const MAX_TAGS = 20;
export const MAX_TAG_LENGTH = 30;
export const MAX_NOTE_LENGTH = 2_000;
/** The most used ones are listed. */
export const MAX_LISTED_TAGS = 1_000;

/** Between the tags of a filter, of Chinese keyboards too; so neither is in a tag. */
const COMMA = /[,，]/;

/** Tags are the same without regard to case. */
export function tagKey(tag: string): string {
  return tag.toLowerCase();
}

/** The tags of a text in which commas separate them. */
export function splitTags(text: string): string[] {
  return text.split(COMMA).map(trimText).filter(Boolean);
}

export const Tag = requiredCode("标签", MAX_TAG_LENGTH)
  .refine((tag) => !COMMA.test(tag), "标签不能包含逗号")
  .meta({ description: "标签，1-30 个字符，不含逗号", examples: ["生产"] });

/** All tags of a host, in the order in which they are shown. */
export const Tags = z
  .array(Tag, "标签必须是列表")
  .max(MAX_TAGS, `标签最多 ${MAX_TAGS} 个`)
  .refine(areDistinct, "标签不能重复，不区分大小写");

function areDistinct(tags: readonly string[]): boolean {
  return new Set(tags.map(tagKey)).size === tags.length;
}

/** What super admins write for each other. In an update an absent one stays as it is. */
export const Note = limitedText("内部备注", MAX_NOTE_LENGTH)
  .nullish()
  .describe(
    `内部备注，最多 ${MAX_NOTE_LENGTH} 个字符，只有超级管理员看到；不填保持不变，null 与空字符串清除`,
  );

/** Each with room for blanks around it. */
const TAG_FILTER = /^[^,，]{0,50}([,，][^,，]{0,50}){0,19}$/;

export const TagFilter = trimmedText()
  .regex(TAG_FILTER, `标签最多 ${MAX_TAGS} 个，每个最多 ${MAX_TAG_LENGTH} 个字符，用逗号分隔`)
  .optional()
  .describe("逗号分隔的标签：只看有其中全部标签的主机，不区分大小写；仅超级管理员和管理员可用");

export const AnnotateHostInput = z
  .strictObject({
    id: Id.describe("主机的标识"),
    tags: Tags.optional().describe(
      `全部标签，最多 ${MAX_TAGS} 个，不区分大小写地不重复，顺序不变；不填保持不变，空列表清除`,
    ),
    note: Note,
  })
  .meta({
    id: "AnnotateHostInput",
    examples: [{ tags: ["生产", "客户 A"], note: "合同到期后迁移到上海" }],
  });
export type AnnotateHostInput = z.infer<typeof AnnotateHostInput>;

export const HostTag = z
  .object({
    tag: z.string().meta({ description: "标签，最常用的写法", examples: ["生产"] }),
    count: z.int().meta({ description: "有该标签的主机数", examples: [12] }),
  })
  .meta({ id: "HostTag", description: "一个标签及有它的主机数" });
export type HostTag = z.infer<typeof HostTag>;

export const HostTags = z.array(HostTag).meta({
  id: "HostTags",
  description: `看得到的主机的标签，不区分大小写地合并，用得最多的在前，最多 ${MAX_LISTED_TAGS} 个`,
});
export type HostTags = z.infer<typeof HostTags>;
