import { z } from "zod";

const { localeError } = z.locales.zhCN();

/**
 * Chinese messages for fields whose schema has none of its own. Messages never repeat what was
 * sent.
 */
export function setChineseMessages(): void {
  z.config({
    localeError(issue) {
      if (issue.code === "invalid_value") return "不是可选的值";
      return issue.code === "invalid_type" && issue.input === undefined
        ? "缺少必填字段"
        : localeError?.(issue);
    },
  });
}
