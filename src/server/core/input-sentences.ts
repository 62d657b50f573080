import type { z } from "zod";

const KINDS: Readonly<Record<string, string>> = {
  string: "文本",
  number: "数字",
  int: "整数",
  boolean: "true 或 false",
  array: "列表",
  object: "对象",
  record: "对象",
};

/** What is wrong with a field whose schema has no sentence of its own. Never shows what was sent. */
export function inputSentence(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "缺少必填字段";
      return `应为${KINDS[issue.expected] ?? "有效的值"}`;
    case "too_small":
      return `不能少于${limit(issue.origin, issue.minimum)}`;
    case "too_big":
      return `不能超过${limit(issue.origin, issue.maximum)}`;
    case "not_multiple_of":
      return `应为${issue.divisor}的整数倍`;
    case "invalid_value":
      return `只能是 ${issue.values.map(String).join("、")}`;
    case "unrecognized_keys":
      return "包含不支持的字段";
    case "invalid_format":
      return "格式不正确";
    case "invalid_union":
    case "invalid_key":
    case "invalid_element":
    case "custom":
      return "内容不正确";
  }
}

function limit(origin: string, bound: number | bigint): string {
  switch (origin) {
    case "string":
      return `${bound}个字符`;
    case "array":
    case "set":
      return `${bound}项`;
    default:
      return String(bound);
  }
}
