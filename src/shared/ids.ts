import { z } from "zod";

/**
 * A UUIDv7 string; opaque to callers. Only its form is checked, so that an id of a gone row is 404,
 * not 400.
 */
export const Id = z
  .guid("标识格式不正确")
  .overwrite((value) => value.toLowerCase())
  .meta({
    id: "Id",
    description: "标识（UUID），调用者不应解读其内容",
    examples: ["019a9f00-0000-7000-8000-000000000001"],
  });

export const IdInput = z.strictObject({ id: Id.describe("标识") }).meta({ id: "IdInput" });
export type IdInput = z.infer<typeof IdInput>;

/** The empty answer of calls that only act. */
export const Nothing = z.strictObject({}).meta({ id: "Nothing", description: "没有内容" });
export type Nothing = z.infer<typeof Nothing>;

/** The input of calls that take nothing; anything sent with them is refused. */
export const NoInput = z.strictObject({}).optional();
