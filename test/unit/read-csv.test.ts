import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arrangeColumns } from "../../src/shared/import-columns.ts";
import { importedEndText, parseImportedEnd } from "../../src/shared/imported-end.ts";
import { USER_IMPORT } from "../../src/shared/imports.ts";
import { readCsv } from "../../src/shared/read-csv.ts";
import { localDateTime } from "../../src/shared/shanghai.ts";
import { defuseFormula } from "../../src/shared/spreadsheet.ts";

const MIB = 1024 * 1024;

async function read(file: string | Uint8Array<ArrayBuffer>, type = "text/csv") {
  return await readCsv(new Blob([file], { type }));
}

async function rowsOf(file: string) {
  const reading = await read(file);
  if (reading.kind === "refused") throw new Error(reading.message);
  return reading.rows.map(({ line, cells }) => [line, ...cells]);
}

async function refusalOf(file: string | Uint8Array<ArrayBuffer>): Promise<string | null> {
  const reading = await read(file);
  return reading.kind === "refused" ? reading.message : null;
}

describe("reading a table", () => {
  it("gives back what an export has written, whatever the cells hold", async () => {
    const hard = fc.constantFrom("", "'", "'=1", "''=1", "=1", "＠a", 'a"b', "a,b", "a\r\nb", "\t");
    const cell = fc.oneof(hard, fc.string({ unit: "grapheme", maxLength: 12 })).filter(isWritable);
    const row = fc.array(cell, { minLength: 3, maxLength: 3 });
    const table = fc.array(row, { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom(",", ";", "\t"), async (rows, delimiter) => {
        const filled = rows.map(([first = "", ...others]) => [`x${first}`, ...others]);
        const text = stringify([["甲", "乙", "丙"], ...filled], {
          delimiter,
          record_delimiter: "\r\n",
          quote_record_delimiter: true,
          bom: true,
          cast: { string: defuseFormula },
        });

        const reading = await read(text);

        expect(reading).toMatchObject({
          kind: "table",
          header: ["甲", "乙", "丙"],
          rows: filled.map((cells, index) => ({ line: index + 2, cells })),
        });
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ["UTF-8", new TextEncoder().encode("用户名\r\n张三\r\n")],
    ["UTF-8 with a byte order mark", new TextEncoder().encode("\uFEFF用户名\r\n张三\r\n")],
    ["GB18030", Uint8Array.from([...hex("d3c3bba7c3fb0d0ad5c5c8fd0d0a")])],
  ])("reads %s", async (_charset, bytes) => {
    expect(await read(bytes)).toMatchObject({ header: ["用户名"], rows: [{ cells: ["张三"] }] });
  });

  it("believes a charset that the type names", async () => {
    const bytes = Uint8Array.from(hex("c1aacda80d0a31"));

    expect(await read(bytes, "text/csv; charset=gb18030")).toMatchObject({ header: ["联通"] });
  });

  it("numbers lines as a spreadsheet does: empty ones count, breaks in a cell do not", async () => {
    expect(await rowsOf('a,b\n"1\n1",2\n\n , \n3,4')).toEqual([
      [2, "1\n1", "2"],
      [5, "3", "4"],
    ]);
  });

  it("drops empty columns at the end, as spreadsheets leave them", async () => {
    expect(await read("a,b,,\n1,2,,\n")).toMatchObject({ header: ["a", "b"] });
  });

  it("reads lines that end with CR alone", async () => {
    expect(await rowsOf("a,b\r1,2\r")).toEqual([[2, "1", "2"]]);
  });
});

describe("a file that is refused", () => {
  it.each([
    ["nothing", "", "文件是空的"],
    ["a workbook", Uint8Array.from(hex("504b030414")), /另存为 CSV/],
    ["UTF-16", Uint8Array.from(hex("fffe75006200")), /UTF-16/],
    ["bytes of no charset", Uint8Array.from(hex("6180ff61")), /无法识别文件的编码/],
    ["a zero byte", "a,b\n1,\0", "第 2 行含有无效字符，文件可能不是 CSV"],
    ["a quote that is never closed", 'a,b\n1,2\n"3,4\n5,6', "第 3 行的引号没有成对"],
    ["a quote inside a cell", 'a,b\n1,2\nx"y"z,4\n', /^第 3 行的引号不正确/],
    ["text after a quote", 'a,b\n"x"y,4\n', /^第 2 行的引号不正确/],
    ["a cell of 5 MB", `a,b\n1,${"x".repeat(5 * MIB)}`, /^第 2 行太长/],
    ["a quoted cell of 5 MB", `a,b\n1,"${"x\n".repeat(2.5 * MIB)}"`, /^第 2 行/],
    ["16,000 columns", `${"a,".repeat(16_000)}\n`, "第 1 行的列太多，最多 50 列"],
    ["16,000 cells", `a\n${"x,".repeat(16_000)}\n`, "第 2 行的列太多，最多 50 列"],
    ["5 MB of commas", `a\n${",".repeat(5 * MIB)}`, /^第 2 行太长/],
    ["5 MB of empty lines", `a\n${"\n".repeat(5 * MIB)}`, /^文件的行数太多/],
    ["5 MB of quotes", `a\n${'"'.repeat(5 * MIB)}`, /^第 2 行/],
    ["too many rows", `a\n${"x\n".repeat(5_001)}`, "一次最多导入 5000 行，请分成几个文件"],
  ])("%s", async (_what, file, message) => {
    const refusal = await refusalOf(file);

    expect(refusal).toMatch(message);
  });
});

describe("columns of a file", () => {
  async function arrange(file: string) {
    const reading = await read(file);
    if (reading.kind === "refused") throw new Error(reading.message);
    return arrangeColumns(reading, USER_IMPORT);
  }

  it("are found in any order, and those of an export are known", async () => {
    const table = await arrange("状态,姓名,用户名,创建时间,错误\n启用,张三,zhang,2026-01-01,\n");

    const [row] = table.kind === "rows" ? table.rows : [];
    expect(row?.cells.get("username")).toBe("zhang");
    expect(row?.cells.get("name")).toBe("张三");
    expect(row?.cells.get("email")).toBe("");
  });

  it("that are unknown, missing or repeated are named, and those that there are", async () => {
    expect(await arrange("姓名,姓名,密码,,电话\na,b,c,d,e\n")).toEqual({
      kind: "refused",
      message:
        "不支持的列：密码、（没有标题的列）、电话；缺少必填的列：用户名；重复的列：姓名。请使用模板中的列：用户名、姓名、角色、邮箱、手机号、负责管理员、初始密码",
    });
  });

  it("a row of another length is a mistake of that row", async () => {
    const table = await arrange("用户名,姓名\nzhang,张三\nli\nwang,王五,,\nzhao,赵六,x\n");

    const problems = table.kind === "rows" ? table.rows.map(({ problem }) => problem) : [];
    expect(problems).toEqual([
      null,
      "该行有 1 列，标题行有 2 列",
      null,
      "该行有 3 列，标题行有 2 列",
    ]);
  });

  it("a row with commas of a Chinese keyboard says which ones separate", async () => {
    const table = await arrange("用户名,姓名\nzhang，张三\nli,李四\nwang,王，五,x\n");

    const problems = table.kind === "rows" ? table.rows.map(({ problem }) => problem) : [];
    expect(problems).toEqual([
      "该行有 1 列，标题行有 2 列；请使用半角逗号分隔，不是“，”",
      null,
      "该行有 3 列，标题行有 2 列",
    ]);
  });

  it.each(["用户名，姓名\nzhang，张三\n", "用户名,姓名\nzhang，张三\n"])(
    "a file with commas of a Chinese keyboard says so: %j",
    async (file) => {
      expect(await arrange(file)).toMatchObject({
        kind: "refused",
        message: expect.stringContaining("请使用半角逗号"),
      });
    },
  );

  it("a file whose rows all have another length is refused", async () => {
    expect(await arrange("用户名,姓名\nzhang\nli\n")).toMatchObject({ kind: "refused" });
  });
});

it.each(["2026-12-31", "2026-12-31 18:00:09"])("an end is written as it is read: %s", (cell) => {
  expect(importedEndText(parseImportedEnd(cell) ?? 0)).toBe(cell);
});

describe("an end in a cell", () => {
  it.each([
    ["2026-12-31", "2026-12-31 23:59:59"],
    ["2026/1/5", "2026-01-05 23:59:59"],
    ["2026年1月5日", "2026-01-05 23:59:59"],
    ["2026-12-31 18:00", "2026-12-31 18:00:00"],
    ["2026-12-31 18:00:09", "2026-12-31 18:00:09"],
  ])("%s is %s in China", (cell, time) => {
    expect(localDateTime(parseImportedEnd(cell) ?? 0)).toBe(time);
  });

  it.each(["", "2026-02-30", "2026-13-01", "31.12.2026", "46022", "2026-12-31 25:00"])(
    "%j is none",
    (cell) => {
      expect(parseImportedEnd(cell)).toBeNull();
    },
  );
});

function* hex(text: string): Generator<number> {
  for (let at = 0; at < text.length; at += 2) yield Number.parseInt(text.slice(at, at + 2), 16);
}

/** What can be stored, and so can be exported. */
function isWritable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}
