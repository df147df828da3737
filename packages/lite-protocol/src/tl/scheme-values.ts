/** The TypeScript types of the values that the lines of the scheme describe. */
import type { AccountId, BlockId } from "@chain-query/format/identifiers";
import type { functions, types } from "./scheme.ts";

type TypeLine = (typeof types)[number];
type FunctionLine = (typeof functions)[number];

/** `get_block` is `getBlock`. */
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name;
/** Shows an intersection as one object. */
type Flat<Type> = Type extends unknown ? { [Key in keyof Type]: Type[Key] } : never;

type NameOf<Line> = Line extends `${infer Name}#${string}`
  ? Name extends `${string} ${string}`
    ? FirstWord<Line>
    : Name
  : FirstWord<Line>;
type FirstWord<Line> = Line extends `${infer Name} ${string}` ? Name : never;
type ResultOf<Line> = Line extends `${string} = ${infer Result}` ? Result : never;
type Unqualified<Name> = Name extends `${string}.${infer Rest}` ? Rest : never;

interface Known {
  int: number;
  "#": number;
  long: bigint;
  int256: Uint8Array;
  bytes: Uint8Array;
  string: string;
  Bool: boolean;
  "tonNode.blockIdExt": BlockId;
  "liteServer.accountId": AccountId;
}

type LineByName = { [Line in TypeLine as NameOf<Line>]: Line };

/** The value of a type: a known one, a vector, a bare type by its name, or a boxed type, which is one of several. */
type Value<Type extends string> = Type extends keyof Known
  ? Known[Type]
  : Type extends `(vector ${infer Item})`
    ? readonly Value<Item>[]
    : Type extends keyof LineByName
      ? RecordOf<LineByName[Type]>
      : Boxed<Type>;
/** The field `type` names a constructor whose name differs from its type's. */
type Boxed<Type extends string, Line = TypeLine> = Line extends `${string} = ${Type}`
  ? NameOf<Line> extends UncapitalizedLast<Type>
    ? RecordOf<Line>
    : Flat<{ readonly type: Unqualified<NameOf<Line>> } & RecordOf<Line>>
  : never;
type UncapitalizedLast<Type> = Type extends `${infer Package}.${infer Name}` ? `${Package}.${Uncapitalize<Name>}` : never;

type RecordOf<Line> = Line extends `${infer Left} = ${string}`
  ? Left extends `${string} ${infer Fields}`
    ? Flat<FieldsOf<Fields>>
    : Record<never, never>
  : never;
type FieldsOf<Text extends string> = Text extends `${infer Name}:${infer Rest}`
  ? Rest extends `(vector ${infer Item}) ${infer Tail}`
    ? Field<Name, `(vector ${Item})`> & FieldsOf<Tail>
    : Rest extends `(vector ${string})`
      ? Field<Name, Rest>
      : Rest extends `${infer Type} ${infer Tail}`
        ? Field<Name, Type> & FieldsOf<Tail>
        : Field<Name, Rest>
  : unknown;
/** A flag of `mode` takes no bytes and is no field. */
type Field<Name extends string, Type extends string> = Type extends `mode.${number}?true`
  ? unknown
  : Type extends `mode.${number}?${infer Inner}`
    ? { readonly [Key in Camel<Name>]?: Value<Inner> | undefined }
    : { readonly [Key in Camel<Name>]: Value<Type> };
/** Name of a function without its package. */
export type LiteFunction = Unqualified<NameOf<FunctionLine>>;

/**
 * The arguments of a function, by the names of the scheme in camel case. Optional ones must be there if, and only if, their bit of
 * `mode` is set; flags are only in `mode`. A `tonNode.blockIdExt` is a `BlockId`, a `liteServer.accountId` an `AccountId`.
 */
export type LiteArguments<Name extends LiteFunction> = ArgumentsByName[Name];
type ArgumentsByName = { [Line in FunctionLine as Unqualified<NameOf<Line>>]: RecordOf<Line> };

/** The answer of a function, by the names of the scheme in camel case. */
export type LiteAnswer<Name extends LiteFunction> = AnswerByName[Name];
type AnswerByName = { [Line in FunctionLine as Unqualified<NameOf<Line>>]: Boxed<ResultOf<Line>> };
