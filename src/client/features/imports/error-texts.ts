import type { FieldError } from "@shared/errors.ts";
import type { ImportKind } from "./import-kind";

/** `姓名：必填`; a message that begins with the name of its column stands alone. */
export function errorTexts(
  columns: ImportKind["columns"],
  errors: readonly FieldError[],
): string[] {
  return errors.map(({ field, message }) => {
    const column = columns.find((one) => one.field === field);
    if (column === undefined || message.startsWith(column.header)) return message;
    return `${column.header}：${message}`;
  });
}
