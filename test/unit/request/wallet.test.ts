import { describe, expect, it } from 'vitest';
import { fromService, toService } from '../../../src/service/request/wallet.js';

const WORD = 'brandpay';

describe('toService', () => {
  it.each([
    ['/wallet_accounts', '/brandpay_accounts'],
    ['/wallet_accounts/KnQ0KlNE6kf5mobyV0pN/delete', '/brandpay_accounts/KnQ0KlNE6kf5mobyV0pN/delete'],
    ['/wallet_transactions/search', '/brandpay_transactions/search'],
    ['/wallet_disputes/x', '/brandpay_disputes/x'],
    ['/customers/wallet_accounts', '/customers/wallet_accounts'],
    ['/key_values/wallet_accounts', '/key_values/wallet_accounts'],
    ['/wallet_account', '/wallet_account'],
    ['/my_wallet_accounts', '/my_wallet_accounts'],
  ])('%s becomes %s', (path, expected) => {
    expect(toService({ method: 'GET', path, query: [] }, WORD).path).toBe(expected);
  });

  it('replaces the listed filters and the payment type value, and no free text', () => {
    const query = [
      ['wallet_account_filter', 'wallet'],
      ['wallet_dispute_status_filter', 'OPEN'],
      ['wallet_dispute_reason_filter', 'OTHER'],
      ['payment_type_filter', 'wallet'],
      ['payment_type_filter', 'credit_card'],
      ['search_term', 'wallet'],
      ['metadata_filter', '{"name":"wallet_accounts","value":"wallet"}'],
    ] as const;
    expect(toService({ method: 'GET', path: '/sales', query }, WORD).query).toEqual([
      ['brandpay_account_filter', 'wallet'],
      ['brandpay_dispute_status_filter', 'OPEN'],
      ['brandpay_dispute_reason_filter', 'OTHER'],
      ['payment_type_filter', 'brandpay'],
      ['payment_type_filter', 'credit_card'],
      ['search_term', 'wallet'],
      ['metadata_filter', '{"name":"wallet_accounts","value":"wallet"}'],
    ]);
  });

  it('replaces identifiers of a body and leaves every other byte', () => {
    const body =
      '{ "wallet_account_email" : "wallet@wallet_accounts.com", "name":"wallet", "amount":10.00,\n "payment_type":"wallet",' +
      '"wallet_account_app_id":"wallet","trigger":{"notation":"wallet_transaction.created","filters":{"wallet_account_filter":' +
      '["wallet_dispute.created"],"payment_type_filter":["wallet","offline"],"metadata_filter":[{"name":"payment_type","value":"wallet"}]}},' +
      '"account_event_notations":["wallet_dispute.created","sale.created"],"message":"\\"wallet_transaction.created\\"",' +
      '"metadata":[{"name":"wallet_transactions","value":"wallet","payment_type":"wallet"}],"form_source":"wallet_account"}';
    expect(toService({ method: 'POST', path: '/x', query: [], body }, WORD).body).toBe(
      '{ "brandpay_account_email" : "wallet@wallet_accounts.com", "name":"wallet", "amount":10.00,\n "payment_type":"brandpay",' +
        '"brandpay_account_app_id":"wallet","trigger":{"notation":"brandpay_transaction.created","filters":{"brandpay_account_filter":' +
        '["wallet_dispute.created"],"payment_type_filter":["brandpay","offline"],"metadata_filter":[{"name":"payment_type","value":"wallet"}]}},' +
        '"account_event_notations":["brandpay_dispute.created","sale.created"],"message":"\\"wallet_transaction.created\\"",' +
        '"metadata":[{"name":"wallet_transactions","value":"wallet","payment_type":"wallet"}],"form_source":"brandpay_account"}',
    );
  });

  it('changes nothing when the service says wallet', () => {
    const request = {
      method: 'POST',
      path: '/wallet_accounts',
      query: [],
      body: '{"wallet_account_email":1}',
    } as const;
    expect(toService(request, 'wallet')).toBe(request);
  });
});

describe('fromService', () => {
  it('gives the words of the spec back, and leaves digits, names and addresses', () => {
    const raw =
      '{"code":1,"results":[{"id":"brandpay","brandpay_account_email":"brandpay@brandpay.com","brandpay_transactions":["a"],' +
      '"amount":10.00,"n":12345678901234567890,"name":"brandpay_accounts","payment_type":{"id":"ALkMK9pqgzfvgrqjlMVL","name":"brandpay"},' +
      '"message":"brandpay_dispute.created"}],"brandpay_account_id":"x","brandpay_unknown":"y",' +
      '"gateway_raw_response":{"brandpay_transaction_id":"z"}}';
    expect(fromService(raw, WORD)).toBe(
      '{"code":1,"results":[{"id":"brandpay","wallet_account_email":"brandpay@brandpay.com","wallet_transactions":["a"],' +
        '"amount":10.00,"n":12345678901234567890,"name":"brandpay_accounts","payment_type":{"id":"ALkMK9pqgzfvgrqjlMVL","name":"brandpay"},' +
        '"message":"brandpay_dispute.created"}],"wallet_account_id":"x","brandpay_unknown":"y",' +
        '"gateway_raw_response":{"brandpay_transaction_id":"z"}}',
    );
  });

  it.each(['', '{', '<html>brandpay</html>', '{"brandpay', '}}]]brandpay', '"brandpay'])('leaves %j', (text) => {
    expect(fromService(text, WORD)).toBe(text);
  });

  it('reads escaped names', () => {
    expect(fromService('{"\\u0062randpay_account_id":"brandpay"}', WORD)).toBe('{"wallet_account_id":"brandpay"}');
  });
});
