import { z } from "zod";
import { isStorableText } from "../../shared/text.ts";
import { ID, MAX_ID, MAX_INT, MAX_TEXT, NUMBER_AS_TEXT } from "./fields.ts";

const Text = z.string().max(MAX_TEXT).refine(isStorableText);
const OptionalText = Text.nullish().transform((value) => value ?? "");
const Id = Text.max(MAX_ID).regex(ID);

const Numeric = z.union([z.number(), z.string().regex(NUMBER_AS_TEXT).transform(Number)]);
export const Count = Numeric.pipe(z.int().min(0).max(MAX_INT));
/** Booleans come as such or as "True", "true", "Yes". */
const Flag = z
  .union([z.boolean(), z.string().transform((value) => /^(true|yes)$/i.test(value))])
  .nullish()
  .transform((value) => value ?? false);

/** One row per zone. */
export const RegionItem = z.object({
  Region: Id,
  Zone: OptionalText,
  IsDefault: Flag,
  RegionName: OptionalText,
  LocalName: OptionalText,
});

export const ProjectItem = z.object({ ProjectId: Id, ProjectName: OptionalText, IsDefault: Flag });

export const HostPageBody = z.object({ TotalCount: Count, UHostSet: z.array(z.unknown()) });
