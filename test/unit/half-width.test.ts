import { expect, it } from "vitest";
import {
  halfWidthCode,
  halfWidthSearch,
  personSearch,
  phoneDigits,
} from "../../src/client/lib/half-width.ts";

it.each([
  ["３０", "30"],
  ["ｏｒｇ－ａ１，ｏｒｇ－ｂ", "org-a1,org-b"],
  ["\u200bke\u200dy\ufeff", "key"],
  ["org-1\u3000org-2", "org-1 org-2"],
])("halfWidthCode writes %j as %j", (typed, written) => {
  expect(halfWidthCode(typed)).toBe(written);
});

it.each([
  ["ｋ８ｓ－１", "k8s-1"],
  ["１０．９．０．７", "10.9.0.7"],
  ["ｗｅｂ\u300001", "web 01"],
  ["测试（一），机房①", "测试（一），机房①"],
  ["👨\u200d👩", "👨\u200d👩"],
])("halfWidthSearch writes %j as %j", (typed, written) => {
  expect(halfWidthSearch(typed)).toBe(written);
});

it.each([
  ["138 0013 8000", "13800138000"],
  ["138-0013-8000", "13800138000"],
  ["138–0013—8000", "13800138000"],
  ["+8613800138000", "13800138000"],
  ["(+86) 138 0013 8000", "13800138000"],
  ["008613800138000", "13800138000"],
  ["0086 138-0013-8000", "13800138000"],
  [" 13800138000", "13800138000"],
  ["（+86）１３８００１３８０００", "13800138000"],
  ["\u202a13800138000\u202c", "13800138000"],
  ["8613", "8613"],
  ["+86", "+86"],
  ["1380013800x", "1380013800x"],
])("phoneDigits writes %j as %j", (typed, written) => {
  expect(phoneDigits(typed)).toBe(written);
});

it.each([
  ["+86 138-0013-8000", "13800138000"],
  ["138 0013", "1380013"],
  ["12-3", "12-3"],
  ["张三 1380013", "张三 1380013"],
])("personSearch searches for %j as %j", (typed, searched) => {
  expect(personSearch(typed)).toBe(searched);
});
