const SURNAMES = "陈chen 林lin 黄huang 吴wu 周zhou 徐xu 孙sun 马ma 朱zhu 郭guo 何he".split(" ");
const GIVEN =
  "伟wei 芳fang 晓燕xiaoyan 建国jianguo 志强zhiqiang 丽娟lijuan 雨桐yutong 子轩zixuan 海涛haitao 静怡jingyi".split(" ");
const BRANDS = "云杉yunshan 远航yuanhang 星辰xingchen 华信huaxin 鼎盛dingsheng 蓝海lanhai 博雅boya 恒通hengtong".split(
  " ",
);
const TRADES = "物流wuliu 科技keji 教育jiaoyu 医疗yiliao 文旅wenlv".split(" ");

/** The first admin and the first client are those whose sign-ins are printed. */
export const ADMINS = "李冠礼li_guanli 赵敏zhao_min 钱文博qian_wenbo 沈佳shen_jia 韩磊han_lei"
  .split(" ")
  .map((text, index) => person(text, "", index));
export const CLIENTS = Array.from({ length: 40 }, (_, index) => {
  const text = index === 0 ? "张克虎zhang_kehu" : `${at(SURNAMES, index)}_${at(GIVEN, index)}`;
  return person(text, `${at(BRANDS, index)}${at(TRADES, index)}`, index + ADMINS.length);
});

/** Splits Chinese and pinyin, which the texts mix. */
function person(text: string, company: string, index: number) {
  const [username, domain] = [latin(text), latin(company)];
  const name = company === "" ? chinese(text) : `${chinese(text)}（${chinese(company)}）`;
  return {
    username,
    name,
    email: `${username}@${domain || "console"}.example.com`,
    phone: `139${10_010_000 + index * 791_923}`,
  };
}

function at(list: readonly string[], index: number): string {
  return list[index % list.length] ?? "";
}

function chinese(text: string): string {
  return text.replace(/[a-z_]/g, "");
}

function latin(text: string): string {
  return text.replace(/[^a-z_]/g, "");
}
