export {
  addCurrencies,
  CURRENCIES_SUM,
  type Currencies,
  coinsOnly,
  type ExtraCurrency,
  NO_CURRENCIES,
  readCurrencies,
  subtractCurrencies,
  writeCurrencies,
} from "./state/currencies.ts";
