import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PASSWORD_LENGTH } from "../src/shared/passwords.ts";

/**
 * Writes src/server/users/common-passwords.txt: what people choose first under the rule "8 characters, lower and upper case and
 * a digit". Published leaks agree on how such passwords are made: a popular word or keyboard walk, capitalised, then a popular
 * ending. Words and endings stand below in order of popularity; a pair's rank is the product of both ranks (popularity falls
 * about as 1/rank), and the first LIST_SIZE pairs are kept. Case is left out: the list is compared without it.
 */
const LIST_SIZE = 3_000;
const TARGET = join(import.meta.dirname, "../src/server/users/common-passwords.txt");

/** Common as they stand, before all combinations. */
const WHOLE = `
  1qaz2wsx 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 qwer1234 1234qwer qwerty12 asdf1234 1234asdf
  zxcv1234 1234zxcv qazwsx123 qazwsxedc123 1qazxsw2 zaq12wsx zaq1xsw2 1qaz2wsx3edc 1qaz@wsx !qaz2wsx 1qaz!qaz 1qaz1qaz 2wsx3edc
  3edc4rfv 4rfv5tgb qwe123qwe qwe12345 123qweasd 123qweasdzxc qweasd123 qweasdzxc123 qwe123asd asd123asd asd12345 asdfg123
  asdfgh123 asdfghjkl1 asdfghjkl123 zxcvbn123 zxcvbnm1 zxcvbnm123 qwertyuiop1 qwertyuiop123 1qwertyuiop q2w3e4r5 w2e3r4t5
  aa123456 aa123456789 aa12345678 aa1234567 a1234567 a12345678 a123456789 a1234567890 123456aa 123456abc 123456qwe 12345678a
  123456789a 1234567890a 1234567a 123456789q 12345678q 12345qwert 123abc456 abc12345 abc123456 abc1234567 abc123456789 abcd1234
  abcd12345 abcd123456 abcde123 abcde12345 abcdef123 abcdefg1 abcdefg123 1234abcd 123abc123 a1b2c3d4 a1b2c3d4e5 1a2b3c4d 1a2b3c4d5e
  a1a2a3a4 aaa12345 aaa123456 aaa111222 aaaa1111 aaaa1234 abc123abc abcabc123 abc112233 qq123456 qq1234567 qq12345678 qq123456789
  qq5201314 ww123456 zz123456 xx123456 ss123456 dd123456 cc123456 bb123456 ll123456 yy123456 jj123456 wang1234 wang123456 as123456
  asd123456 asdf123456 zxc12345 zxc123456 qaz123456 qaz12345 qwe123456 wsx123456 w123456789 w1234567 z123456789 z1234567 s123456789
  q123456789 q1234567 l123456789 y123456789 x123456789 j123456789 woaini1314 woaini520 woaini521 woaini123 woaini1314520 woaini5201314
  woaiwojia123 woaiwojia1314 520woaini 5201314woaini 1314woaini iloveyou1 iloveyou123 iloveyou1314 iloveyou520 iloveu1314 iloveu520
  ilove1314 love1314 love5201314 love520520 wodemima1 wodemima123 mima1234 mima12345 mima123456 aini1314 aini5201314 baobei520
  baobei1314 laopo520 laopo1314 laogong520 nihao123 nihao1234 woshishui1 woshishen1 tiantian1 password1 passw0rd p@ssw0rd p@ssword1
  p@ssword123 p@ssw0rd1 p@ssw0rd12 p@ssw0rd123 p@ssw0rd1234 p@ssw0rd! p@$$w0rd p@$$word1 pa$$w0rd pa$$word1 pa55word pa55w0rd
  passw0rd1 passw0rd12 passw0rd123 passw0rd! pass@123 pass@word1 pass@1234 pass1234 pass12345 pass123456 passwd123 passwd1234 admin123
  admin1234 admin12345 admin123456 admin@123 admin@1234 admin@12345 admin@123456 admin888 admin666 admin2008 adm1n123 4dm1n123
  root1234 root12345 root123456 root@123 root@1234 test1234 test12345 test123456 test@123 test@1234 user1234 user12345 user123456
  guest123 guest1234 welcome1 welcome12 welcome123 welcome@1 welcome@123 w3lc0me1 letmein1 letmein123 changeme1 changeme123 ch@ngeme1
  huawei123 huawei@123 huawei12#$ h3c12345 cisco123 zte12345 ucloud123 ucloud@123 ucloud.cn1 ucloud1234 aliyun123 tencent123
  server123 server@123 linux123 centos123 ubuntu123 mysql123 oracle123 redis123 docker123 jenkins123 tomcat123 hadoop123 zabbix123
  nagios123 vagrant1 ansible1 k8s12345 cloud123 console1 console123 manager1 manager123 system123 sysadmin1 superadmin1 superadmin123
  super123 super1234 supervisor1 operator1 operator123 default1 default123 secret123 master123 access14 trustno1 superman1 batman123
  ncc1701d ncc1701e rush2112 blink182 jordan23 michael1 charlie1 princess1 princess123 sunshine1 football1 baseball1 basketball1 monkey123
  dragon123 shadow123 killer123 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty@123 qwerty!23 google123 samsung1 samsung123 apple123
  iphone123 pokemon1 pokemon123 starwars1 spiderman1 liverpool1 chelsea1 arsenal1 barcelona1 computer1 computer123 internet1 internet123
  whatever1 freedom1 jessica1 ashley12 jennifer1 daniel12 william1 anthony1 nicole12 matthew1 joshua12 andrew12 hunter12 thomas12
  hello123 hello1234 hello12345 helloworld1 helloworld123 mustang1 corvette1 porsche1 ferrari1 mercedes1 yamaha123 honda123 toyota1
`;

/** Words and keyboard walks to which an ending is put. */
const WORDS = `
  password admin qwerty abc a aa qwer woaini test welcome iloveyou root pass asd qwe qaz zxc p@ssw0rd passw0rd abcd user asdf
  wang li zhang liu chen yang zhao huang zhou wu xu sun ma zhu hu guo he lin gao luo qq love hello monkey dragon sunshine princess
  football baseball superman michael charlie jordan master shadow letmein changeme secret super system manager server guest demo
  summer winter spring autumn temp default login mima nihao china beijing shanghai shenzhen guangzhou hangzhou tiantian baobei laopo laogong aini wodemima woshishui
  qwert asdfg zxcv zxcvbn zxcvbnm asdfgh asdfghjkl qwertyuiop qazwsx qazwsxedc qweasd qweasdzxc wsx q w z x s l y j c d m h f k t b
  p@ssword pa$$word p@$$word pa$$w0rd admin@ administrator superadmin sysadmin webadmin operator oracle mysql linux ubuntu centos
  ucloud aliyun tencent huawei baidu alibaba taobao wechat weixin alipay xiaomi lenovo cisco apple google samsung microsoft windows
  iphone android internet computer office company cloud console access support service network security jack tom david daniel robert
  thomas andrew joshua matthew anthony william james john mike alex kevin peter eric tony jason andy jerry lucy lily anna mary
  jessica ashley jennifer nicole amanda january monday friday sunday killer hunter batman spiderman pokemon
  starwars naruto mustang ferrari chelsea arsenal liverpool barcelona soccer basketball hockey tigger ginger pepper cookie flower angel
  lovely butterfly purple orange silver golden diamond freedom whatever trustno thunder phoenix tiger panda rabbit happy lucky smile
  wangwei zhangwei liwei wangfang lina zhangmin lijing wangjing liuwei wangxiuying zhangli liqiang wanglei lijun wangyong zhangyan xiaoming
  xiaohong xiaoli xiaolong feifei yangyang jingjing lingling tingting dandan mingming xiaoxiao niuniu huanhuan lele doudou mengmeng
`;

const ENDINGS = `
  1 123 1234 123456 12345 12 @123 520 1314 123456789 12345678 5201314 888 666 2024 2023 2025 2022 2021 2020 2026 @1234 ! 01 11 88 99 00
  111 000 321 654321 007 521 168 1234567 @2024 @2023 @2025 123! 1! !@# 1990 1989 1988 1987 1992 1991 1995 1993 2008 2010 2012 2015 2018
  2019 69 77 22 21 13 23 10 123123 112233 111111 666666 888888 000000 147258 789 456 @1 #123 _123 .123 @123456 1q2w3e abc 123abc 123qwe
  a1 a123 qwe123 123. 1234! 2017 2016 1986 1985 1994 1996 1997 1998 1999 2000 2001
`;

const entries = new Set([...split(WHOLE), ...combinations()].filter(satisfiesRules));
writeFileSync(TARGET, `${[...entries].slice(0, LIST_SIZE).join("\n")}\n`);

function combinations(): string[] {
  const words = split(WORDS);
  const endings = split(ENDINGS);
  return words
    .flatMap((word, wordRank) =>
      endings.map((ending, endingRank) => ({ entry: word + ending, rank: (wordRank + 1) * (endingRank + 1) })),
    )
    .sort((one, other) => one.rank - other.rank)
    .map(({ entry }) => entry);
}

/** Some way of writing it in both cases is an allowed password: two letters for the two cases, a digit, the length. */
function satisfiesRules(entry: string): boolean {
  const { min, max } = PASSWORD_LENGTH;
  const letters = entry.match(/[a-z]/g) ?? [];
  return entry.length >= min && entry.length <= max && letters.length >= 2 && /\d/.test(entry);
}

function split(list: string): string[] {
  return list.split(/\s+/).filter((word) => word !== "");
}
