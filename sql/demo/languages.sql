-- workgate demo: texts in each language that fit any project.

-- title: a format of a verb (1), a subject (2) and a tail (3).
-- folders[n] is the folder of documents[n], a format of a title (1), a date (2) and an author (3).
create temp table languages (
  language   text primary key,
  title      text,
  tails      text[],
  details    text[],
  checks     text[],
  remarks    text[],
  notes      text[],
  files      text[],
  tags       text[],
  folders    text[],
  documents  text[]
);

insert into languages
values
(
  'en',
  '%1$s %2$s%3$s',
  array[' once more', ' (part 2)', ' – quick version', ' and tell everybody', ' for Q3', ' after the feedback', ' before the holidays'],
  array['Came up in the weekly: three customers asked for it in the same week.',
    'We keep postponing this. Let’s do the small version first and see whether anybody misses the rest.',
    'Please talk to the people who use it every day before you change anything.',
    'See the notes from the last review. The open question is who keeps it up to date afterwards.',
    'Not urgent, but it costs us about an hour every week.',
    'The current state dates from 2023 and half of it is no longer true.',
    'Steps and screenshots are in the first comment.', 'Blocked until we hear back from the vendor.'],
  array['somebody outside the team has tried it', 'numbers checked against last month', 'the old version is gone',
    'support knows what to answer', 'written down in the handbook', 'works without a mouse', 'Ximena has signed it off',
    'there is a way back'],
  array['Looks good to me 👍', 'Done, please have a look.', 'I can take this one.', 'Moved to next week, sorry.',
    'Thanks! That was faster than I feared.', 'Waiting for an answer from the vendor since Tuesday.', 'Nice catch!',
    'Can we split this? The second half is much bigger.', 'Is this still wanted?', 'Numbers are in the sheet, second tab.',
    'Talked to the customer, they are happy with the smaller solution.', 'Found the cause, it was a typo 🤦', '+1',
    'Agreed in the call: we do the simple version now, the rest goes to the backlog.',
    'Could somebody who knows the history tell me why it works this way?', 'The estimate was too low, rather two days.',
    'Draft is ready for review, comments welcome until Thursday.', 'Let’s discuss this tomorrow, too long for a comment.',
    'Done as described, except for the last point, which needs a decision.', 'Who owns this afterwards?',
    'I’m out from tomorrow until the 14th, Björn takes over.', 'Not before Monday, I’m afraid.'],
  array['Implementation', 'Review', 'Call with the customer', 'Testing', 'Writing', 'Research', 'Meeting', 'Rework after review',
    'Set-up', 'Pairing with a colleague'],
  array['screenshot.png', 'screenshot-2.png', 'budget.xlsx', 'draft-v2.docx', 'export.csv', 'recording.mp4', 'error.log',
    'offer.pdf', 'photo.jpg', 'trace.json'],
  array['quick win', 'blocked', 'customer request', 'needs decision', 'Q3'],
  array['specs', 'notes', 'decisions', 'runbooks'],
  array[
'# %1$s

*%3$s, %2$s*

## Why

Customers ask for this about twice a week, and the workaround takes support a quarter of an hour each time.

## What we will do

1. The smallest version that removes the workaround.
2. Measure for two weeks.
3. Decide whether the rest is worth it.

## What we will not do

Anything that needs a migration of old data.

## Open questions

- Who keeps it up to date?
- Do we tell everybody, or only those who asked?
',
'# Notes: %1$s

%2$s, written by %3$s

## Agreed

- Go on with the plan, without the second step.
- Numbers every Monday.

## To do

- [ ] ask the vendor for a new offer
- [x] share last month’s figures

## Next time

Bring examples.
',
'# Decision: %1$s

Date: %2$s
Status: accepted

## Context

There were three ways to go, all of them compared in the meeting. Cost and time hardly differ; what differs is how much of it
we have to keep alive ourselves.

## Decision

We take the boring one.

## Consequences

We can change our mind until the end of the quarter. After that, going back costs about two weeks.
',
'# Runbook: %1$s

Last tried on %2$s by %3$s

## When you need this

The alert fires twice within ten minutes, or a customer calls.

## Steps

1. Look at the dashboard first.
2. Restart **one** instance and wait.
3. If nothing changes, wake somebody up.

```sh
# Is it alive?
curl -fsS https://status.example.org/health
```

## Afterwards

Write down what happened, even if it was nothing.
']
),
(
  'de',
  '%2$s %1$s%3$s',
  array[' (dringend)', ' bis Monatsende', ' – zweiter Anlauf', ' fürs neue Büro', ' mit der Hausverwaltung'],
  array['Bitte vorher mit der Hausverwaltung sprechen.', 'Drei Angebote einholen, das günstigste ist nicht immer das beste.',
    'Hängt am Übergabetermin. Wenn der sich verschiebt, verschiebt sich das hier auch.'],
  array['Termin steht', 'Kosten geprüft', 'alle wissen Bescheid', 'Schlüssel übergeben', 'Fotos gemacht'],
  array['Ist erledigt ✔', 'Angebot liegt bei, bitte prüfen.', 'Der Vermieter meldet sich bis Freitag.', 'Können wir das auf nächste Woche schieben?',
    'Größe passt nicht, die Tische sind 20 cm zu breit.', 'Danke!', 'Rechnung ging heute ein.', 'Wer hat den Schlüssel für den Keller?',
    'Telefoniert – sie kommen am Dienstag um 8.'],
  array['Telefonate', 'Vor Ort', 'Angebote verglichen', 'Abstimmung'],
  array['Angebot.pdf', 'Grundriss.png', 'Übergabeprotokoll.pdf', 'Kosten.xlsx', 'Foto Küche.jpg'],
  array['dringend', 'wartet', 'Kosten', 'Vermieter', 'erledigen'],
  array['protokolle', 'listen'],
  array[
'# Protokoll: %1$s

%2$s, %3$s

## Besprochen

- Übergabe wie geplant
- Schönheitsreparaturen übernimmt der Vermieter zur Hälfte

## Offen

- Wer misst die Küche aus?
',
'# Checkliste: %1$s

Stand %2$s

## Vorher

- [ ] Kündigungsfrist prüfen
- [ ] Nachsendeauftrag stellen

## Am Tag selbst

- [ ] Zählerstände fotografieren
']
),
(
  'ja',
  '%2$sを%1$s%3$s',
  array['(至急)', '(第2回)', '(東京チーム)', '(再依頼)'],
  array['先週の定例で挙がった件です。', '英語版との差分を確認してから進めてください。', '決済会社からの返答待ちです。', '詳細は最初のコメントを参照してください。'],
  array['ネイティブチェック済み', '実機で確認', '法務の承認', '英語版と一致'],
  array['確認しました。問題ありません。', '修正しました。ご確認をお願いします。', 'ありがとうございます!', '来週に回してもいいですか?', 'スクリーンショットを添付しました。',
    '文字がはみ出しています。', '先方の返事待ちです。', '用語集に追加しました。', 'お疲れさまです。明日の朝に対応します🙇'],
  array['翻訳', 'レビュー', '打ち合わせ', '動作確認'],
  array['画面キャプチャ.png', '用語集.xlsx', '見積書.pdf', '契約書案.docx'],
  array['至急', '翻訳', '法務', '要確認', '店舗'],
  array['議事録', '仕様'],
  array[
'# 議事録:%1$s

日付:%2$s
記録:%3$s

## 決定事項

- 公開日は変更なし
- 用語は用語集に合わせる

## 次回まで

- 実機での表示確認
',
'# 仕様:%1$s

## 背景

日本のお客様は請求書払いを希望することが多い。

## 対応内容

1. 支払い方法に「請求書」を追加
2. 締め日は月末とする

## 対象外

海外からの注文
']
),
(
  'es',
  '%1$s %2$s%3$s',
  array[' antes del lanzamiento', ' con el equipo de México', ' (urgente)', ' otra vez', ' para Guadalajara'],
  array['Lo pidió el distribuidor en la última llamada.', 'Ojo: los precios tienen que llevar IVA.', 'Falta confirmar la fecha con el socio local.'],
  array['revisado por el socio', 'precios con IVA', 'enlaces probados', 'aprobado por María José'],
  array['¡Listo!', 'Lo reviso mañana a primera hora.', '¿Quién se encarga de esto?', 'Quedó mucho mejor, gracias 🙌', 'El socio pide un cambio pequeño en el logo.',
    'Todavía falta la firma.', 'Subí la nueva versión.', 'De acuerdo, lo dejamos así.'],
  array['Redacción', 'Llamada con el socio', 'Diseño', 'Revisión'],
  array['contrato.pdf', 'diseño-v3.png', 'lista de precios.xlsx', 'guion.docx'],
  array['urgente', 'socio', 'diseño', 'pendiente', 'IVA'],
  array['notas', 'planes'],
  array[
'# Notas: %1$s

%2$s, %3$s

## Acuerdos

- El lanzamiento se mantiene para la primera semana.
- Los precios se publican con IVA.

## Pendiente

- Confirmar la bodega en Monterrey
',
'# Plan: %1$s

## Objetivo

Doscientos clientes en los primeros tres meses.

## Fases

1. Prueba con diez clientes
2. Campaña en redes
3. Revisión
']
),
(
  'ar',
  '%1$s %2$s%3$s',
  array[' (عاجل)', ' مع المورّد', ' قبل نهاية الشهر', ' – النسخة الثانية'],
  array['طلبها الشركاء في الاجتماع الأخير.', 'يرجى التنسيق مع القاعة قبل أي تغيير.', 'في انتظار عرض السعر.'],
  array['تمت الموافقة على الميزانية', 'تم إبلاغ الجميع', 'النص مراجَع لغويًا'],
  array['تم 👍', 'شكرًا جزيلًا!', 'سأراجعها غدًا صباحًا.', 'العرض مرفق، يرجى الاطلاع عليه.', 'هل يمكن تأجيلها إلى الأسبوع القادم؟',
    'القاعة تؤكد الموعد.', 'أحتاج إلى قائمة الأسماء النهائية.'],
  array['اجتماع', 'ترجمة', 'مكالمات', 'تصميم'],
  array['برنامج المؤتمر.pdf', 'قائمة المتحدثين.xlsx', 'ملصق.png'],
  array['عاجل', 'ضيوف', 'ميزانية', 'ترجمة', 'بانتظار الرد'],
  array['محاضر', 'خطط'],
  array[
'# محضر: %1$s

%2$s – %3$s

## القرارات

- تثبيت موعد المؤتمر
- إرسال الدعوات هذا الأسبوع

## المهام

- حجز الفندق
',
'# خطة: %1$s

## الهدف

ثلاثمئة مشارك من عشر دول.

## الخطوات

1. تأكيد المتحدثين
2. فتح التسجيل
']
);
