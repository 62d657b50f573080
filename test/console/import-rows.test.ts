import { describe, expect, it } from "vitest";
import { badRows } from "@/features/imports/bad-rows";
import { fileColumns } from "@/features/imports/file-columns";
import { ASSIGNMENTS, USERS } from "@/features/imports/import-kind";
import { shownRows, writtenCount } from "@/features/imports/import-rows";
import { newPasswords } from "@/features/imports/new-passwords";
import { earlierText } from "@/features/imports/update-texts";
import { csvText } from "../../src/shared/csv-text.ts";
import type { ImportResult, ImportRow } from "../../src/shared/imports.ts";
import { type CsvTable, readCsv } from "../../src/shared/read-csv.ts";

const HEADER = ["用户名", "姓名", "角色"];

function buildTable(...rows: readonly (readonly string[])[]): CsvTable {
  return {
    kind: "table",
    header: HEADER,
    rows: rows.map((cells, index) => ({ line: index + 2, cells })),
  };
}

function buildResult(...rows: readonly Partial<ImportRow>[]): ImportResult {
  const all = rows.map(
    (row, index): ImportRow => ({
      line: index + 2,
      action: "create",
      ok: true,
      errors: [],
      ...row,
    }),
  );
  return { rows: all, summary: { create: 0, update: 0, skip: 0, failed: 0 } };
}

it("a row stands beside what happens to it, also after an empty line", () => {
  const table: CsvTable = {
    kind: "table",
    header: HEADER,
    rows: [
      { line: 2, cells: ["zhang_san", "张三", "C端用户"] },
      { line: 5, cells: ["li_si", "李四", "管理员"] },
    ],
  };
  const result = buildResult({ line: 2, action: "skip" }, { line: 5, ok: false });

  const rows = shownRows(table, result);

  expect(rows.map(({ line, state, cells }) => [line, state, cells[0]])).toEqual([
    [2, "skip", "zhang_san"],
    [5, "failed", "li_si"],
  ]);
});

it("rows that are new or changed are written, and no others", () => {
  expect(writtenCount({ create: 3, update: 2, skip: 7, failed: 11 })).toBe(5);
});

it("bad rows keep their cells, and say why under the name of the column", () => {
  const table = buildTable(["zhang_san", "张三", "C端用户"], ["li-si", "", "管理员"]);
  const result = buildResult(
    {},
    {
      ok: false,
      errors: [
        { field: "username", message: "格式不正确" },
        { field: "name", message: "必填" },
        { field: "", message: "与前面的行重复" },
      ],
    },
  );

  expect(badRows(USERS.columns, table, result)).toEqual([
    [...HEADER, "错误"],
    ["li-si", "", "管理员", "用户名：格式不正确；姓名：必填；与前面的行重复"],
  ]);
});

it("bad rows that are imported once more have one column of errors", () => {
  const table: CsvTable = {
    kind: "table",
    header: ["错误", ...HEADER],
    rows: [{ line: 2, cells: ["原来的错误", "li-si", "李四", "管理员"] }],
  };
  const result = buildResult({ ok: false, errors: [{ field: "username", message: "太短" }] });

  expect(badRows(USERS.columns, table, result)).toEqual([
    [...HEADER, "错误"],
    ["li-si", "李四", "管理员", "用户名：太短"],
  ]);
});

it("a message that begins with the name of its column is saved without it", () => {
  const table = buildTable(["li_si", "", "管理员"]);
  const errors = [{ field: "name", message: "姓名不能为空" }];

  const [, [, , , text] = []] = badRows(USERS.columns, table, buildResult({ ok: false, errors }));

  expect(text).toBe("姓名不能为空");
});

it("a preview marks the columns that are not imported, and has no old errors", () => {
  const shown = fileColumns(USERS.columns, ["错误", "用户名", "状态"]);

  expect(shown).toEqual([
    { index: 1, header: "用户名", field: "username" },
    { index: 2, header: "状态", field: null },
  ]);
});

describe("before something is overwritten", () => {
  const moved = (from: string, to: string) => [{ field: "assignedExpireTime", from, to }];
  const update = (changes: ImportRow["changes"] = []) => ({ action: "update", changes }) as const;
  const now = 1_780_000_000;

  it("users are counted, and new ones are not asked about", () => {
    const change = { field: "name", from: "张三", to: "李四" };
    const failed = { action: "update", ok: false } as const;

    expect(USERS.updatesText(buildResult({}, { action: "skip" }, failed))).toBeNull();
    expect(USERS.updatesText(buildResult({}, update([change])))).toBe("将修改 1 个用户的资料");
  });

  it("hosts are counted by what changes, and by ends that move forward", () => {
    const remark = { field: "remark", from: "", to: "合同 2" };
    const later = moved("2026-12-31", "2027-04-29");
    const earlier = moved("2027-04-29", "2026-12-31");

    const result = buildResult(update(later), update(earlier), update([remark]));

    expect(ASSIGNMENTS.updatesText(result)).toBe(
      "将修改 2 台主机的到期时间，其中 1 台提前；将修改 1 台主机的备注",
    );
  });

  it.each([
    ["2027-04-29", "2026-12-31", "比原来早 119 天"],
    ["2026-12-31", "2026-12-31 18:00:00", "比原来早不到 1 天"],
    ["2026-12-31", "2020-12-31", "比原来早 2,191 天，已经过去"],
    ["2026-12-31", "2027-01-01", null],
  ])("an end that moves from %s to %s is warned of: %s", (from, to, warning) => {
    expect(earlierText(moved(from, to), now)).toBe(warning);
  });

  it("a row whose end stays has no warning", () => {
    expect(earlierText([{ field: "remark", from: "a", to: "b" }], now)).toBeNull();
  });
});

it("a file of bad rows is read back as it was, formulas and line breaks too", async () => {
  const cells = ["=cmd()", "第一行\n第二行", '"引用"'];
  const table = buildTable(cells);
  const result = buildResult({ ok: false, errors: [{ field: "", message: "有误" }] });

  const read = await readCsv(new Blob([csvText(badRows(USERS.columns, table, result))]));

  expect(read).toMatchObject({ rows: [{ line: 2, cells: [...cells, "有误"] }] });
});

it("new passwords are named with the users that have got them", () => {
  const table = buildTable(["zhang_san", "张三", "C端用户"], ["li_si", "李四", "管理员"]);
  const result = buildResult({}, { initialPassword: "Secret2Horse" });

  expect(newPasswords(USERS.columns, table, result)).toEqual([
    { username: "li_si", name: "李四", password: "Secret2Horse" },
  ]);
});
