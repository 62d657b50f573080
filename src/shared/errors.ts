import { z } from "zod";
import { ERROR_CODES } from "./error-kinds.ts";

export const ErrorCode = z
  .enum(ERROR_CODES)
  .meta({ id: "ErrorCode", description: "错误码，清单固定" });

export const FieldError = z
  .strictObject({
    field: z
      .string()
      .meta({ description: "字段路径，用点分隔；空字符串表示整个请求内容", examples: ["phone"] }),
    message: z
      .string()
      .meta({ description: "说明，可直接显示给用户", examples: ["手机号格式不正确"] }),
  })
  .meta({ id: "FieldError", description: "一个未通过校验的字段" });
export type FieldError = z.infer<typeof FieldError>;

export const ErrorBody = z
  .strictObject({
    message: z.string().describe("说明，可直接显示给用户"),
    code: ErrorCode,
    requestId: z.string().describe("请求编号，与响应头 X-Request-Id 相同，便于查日志"),
    errors: z.array(FieldError).optional().describe("未通过校验的字段，仅 INVALID_INPUT 时出现"),
  })
  .meta({ id: "ErrorBody", description: "所有失败的统一格式" });
export type ErrorBody = z.infer<typeof ErrorBody>;
