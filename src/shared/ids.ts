import { z } from "zod";

/** A UUIDv7 string; opaque to callers. Only its form is checked, so that an id of a gone row is 404, not 400. */
export const Id = z.guid("标识格式不正确").overwrite((value) => value.toLowerCase());
export type Id = z.infer<typeof Id>;

export const IdInput = z.strictObject({ id: Id });
export type IdInput = z.infer<typeof IdInput>;

/** The empty answer of calls that only act. */
export const Nothing = z.strictObject({});
export type Nothing = z.infer<typeof Nothing>;

/** The input of calls that take nothing; anything sent with them is refused. */
export const NoInput = z.strictObject({}).optional();
