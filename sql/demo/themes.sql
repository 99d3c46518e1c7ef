-- workgate demo: the kinds of projects, and what their tasks are about. Larger data sets repeat them in other places.

-- begins and lasts are shares of the year. Of the stages the last is the done one, the two before it are active.
create temp table themes (
  theme        integer primary key,
  key          text,
  crew         integer,
  name         text,
  description  text,
  language     text,
  weight       integer,
  begins       float8,
  lasts        float8,
  archived     boolean,
  billable     boolean,
  verbs        text[],
  subjects     text[],
  steps        text[],
  tags         text[],
  board        text,
  stages       text[],
  side_board   text,
  side_stages  text[]
);

insert into themes
values
(
  1, 'WEB', 1, 'Website relaunch', 'New design, new shop and a faster site before the summer season.', 'en', 220, 0.01, 1, false, true,
  '{Fix,Redesign,Speed up,Test,Rewrite,Simplify,Translate,Review,"Clean up",Measure}',
  array['the checkout on Safari', 'the pricing page', 'image loading on the home page', 'the sign-up form', 'the cookie banner',
    'the product search', 'the newsletter box', 'the 404 page', 'the cart for guests', 'the size guide', 'the store finder',
    'the order confirmation mail', 'the returns page', 'the product filters', 'the wish list', 'the navigation on tablets',
    'the customer reviews', 'the gift card form', 'the footer links', 'the “forgot password” mail', 'the delivery estimate',
    'the Black Friday banner', 'the contact form', 'the sitemap', 'the café & bakery landing page', 'the press area'],
  array['Draft the copy', 'Design', 'Build', 'Accessibility check', 'Test on phones', 'Go live'],
  array['frontend', 'design', 'a11y', 'SEO', 'shop'],
  'Website', array['Backlog', 'Ready', 'In progress', 'Review', 'Done'],
  'Bugs', array['Reported', 'Confirmed', 'Fixing', 'Fixed']
),
(
  2, 'API', 2, 'Public API', 'The interface for partners: stable, documented, boring.', 'en', 180, 0.03, 1, false, true,
  '{Add,Fix,Document,Deprecate,Test,Refactor,Benchmark,Harden,Simplify,Investigate}',
  array['cursor pagination', 'webhook retries', 'the rate limiter', 'idempotent orders', 'the OAuth scopes', 'the bulk import endpoint',
    'time zone handling', 'UTF-8 file names in uploads', 'the changelog feed', 'error messages for partners', 'the sandbox',
    'the invoice endpoint', 'key rotation', 'the connection pool', 'ETag support', 'the nightly export', 'search by reference',
    'the audit log', 'CORS for the console', 'the Python client', 'decimal amounts', 'the slow customer query',
    'the flaky integration test', 'request tracing', 'soft deletes'],
  array['Write the proposal', 'Build', 'Load test', 'Update the docs', 'Announce to partners'],
  array['backend', 'breaking change', 'performance', 'docs', 'security'],
  'Development', array['Backlog', 'Ready', 'In progress', 'Review', 'Done'],
  'Partner requests', array['New', 'Analysing', 'Building', 'Shipped']
),
(
  3, 'APP', 1, 'Mobile app', 'iOS and Android, offline first.', 'en', 150, 0.08, 1, false, true,
  '{Fix,Build,Design,Test,Polish,Improve,Profile,Localise,"Clean up",Prototype}',
  array['offline sync', 'push notifications', 'dark mode', 'the onboarding screens', 'the crash on Android 12', 'Face ID login',
    'the barcode scanner', 'the photo upload', 'deep links', 'the home screen widget', 'the settings screen', 'haptics',
    'battery use in the background', 'the app icon 🎨', 'right-to-left layouts', 'tablet support', 'the review prompt',
    'the emoji picker 😀', 'large text sizes', 'the map view', 'the share sheet', 'swipe gestures', 'the TestFlight build'],
  array['Wireframe', 'Build for iOS', 'Build for Android', 'Test on old devices', 'Store texts', 'Roll out to 10 %'],
  array['iOS', 'Android', 'UX', 'crash', 'release'],
  'App', array['Backlog', 'Next', 'In progress', 'Testing', 'Released'],
  'Crashes', array['New', 'Reproducing', 'Fixing', 'Closed']
),
(
  4, 'OPS', 2, 'Infrastructure', 'Servers, backups, networks, on-call. If it is quiet, it works.', 'en', 120, 0, 1, false, false,
  '{Upgrade,Automate,Monitor,Replace,"Clean up",Document,Test,Migrate,Restart,Check}',
  array['the PostgreSQL cluster', 'the backups in Frankfurt', 'TLS certificates', 'the build agents', 'log retention', 'the VPN gateway',
    'disk alerts', 'the staging environment', 'DNS for example.org', 'the mail relay', 'kernel patches', 'the on-call rota',
    'the load balancer', 'the Kubernetes nodes', 'secret storage', 'the restore drill', 'the status page', 'object storage costs',
    'the office Wi-Fi', 'SSH keys of people who left', 'the time servers', 'the container registry'],
  array['Plan the downtime', 'Try it on staging', 'Do it', 'Watch for a day', 'Update the runbook'],
  array['database', 'network', 'on-call', 'cost', 'maintenance'],
  'Operations', array['To do', 'Planned', 'Doing', 'Waiting', 'Done'], null, null
),
(
  5, 'SPRING', 3, 'Spring campaign 🌱', 'Three countries, two channels, one idea.', 'en', 80, 0.3, 1, false, true,
  '{Write,Design,Book,Review,Plan,Approve,Schedule,Shorten,Translate,"Follow up on"}',
  array['the teaser video', 'the launch newsletter', 'the Instagram carousel', 'the billboards in Lyon', 'the influencer brief',
    'the landing page texts', 'the radio spot', 'the customer survey', 'the press release', 'the photo shoot', 'the discount codes',
    'the trade fair booth', 'the podcast sponsorship', 'the case study with Café Zoë', 'the media plan', 'the campaign report',
    'the thank-you cards', 'the giveaway 🎁', 'the search ads'],
  array['Briefing', 'First draft', 'Feedback round', 'Final artwork', 'Publish'],
  array['social', 'video', 'print', 'copy', 'budget'],
  'Campaign', array['Ideas', 'Planned', 'Drafting', 'Approval', 'Published'],
  'Print', array['Requested', 'Artwork', 'At the printer', 'Delivered']
),
(
  6, 'JPN', 5, '日本市場展開', '日本語版サイトと決済の準備。公開は来春を予定。', 'ja', 60, 0.25, 1, false, true,
  '{確認する,翻訳する,修正する,作成する,見直す,更新する,テストする,依頼する}',
  array['決済画面の文言', '特定商取引法の表示', '配送料の計算', '商品ページの説明文', 'お問い合わせフォーム', 'コンビニ払いの設定', '利用規約', 'プライバシーポリシー',
    '会員登録メール', 'サイズ表', '請求書のテンプレート', 'トップページのバナー', '東京オフィスの電話番号', 'FAQの回答', '住所入力欄', '返品の手順', 'アプリの通知文', '春のキャンペーン案内🌸'],
  array['原稿作成', '翻訳', 'ネイティブチェック', '実装', '公開'],
  array['決済', 'デザイン', '配送', 'サポート', 'アプリ'],
  'ローカライズ', array['未着手', '準備中', '進行中', 'レビュー', '完了'], null, null
),
(
  7, 'DATA', 2, 'Data warehouse', 'One place for numbers, so that we stop arguing about whose are right.', 'en', 60, 0.12, 1, false, false,
  '{Model,Load,Fix,Check,Document,Automate,Reconcile,Rebuild,Remove,Explain}',
  array['the revenue table', 'returns by country', 'the churn report', 'duplicate customers', 'the exchange rates', 'the daily sales mail',
    'the marketing spend', 'late-arriving orders', 'the currency of Swiss orders', 'the stock snapshot', 'the GDPR deletion job',
    'the cohort dashboard', 'naïve forecasts', 'the finance export', 'the event stream', 'the broken March figures', 'the product hierarchy'],
  array['Agree on the definition', 'Build the model', 'Backfill', 'Compare with finance', 'Publish the dashboard'],
  array['pipeline', 'dashboard', 'data quality', 'finance', 'privacy'],
  'Pipeline', array['Backlog', 'Defined', 'Building', 'Checking', 'Live'], null, null
),
(
  8, 'SUP', 4, 'Customer support', 'What tickets teach us, turned into tasks.', 'en', 50, 0, 1, false, false,
  '{Answer,Investigate,Escalate,Document,Refund,"Call back about",Follow up on,Explain,Collect,Close}',
  array['the lost parcel to Tromsø', 'double charges in May', 'the invoice with a wrong VAT number', 'the blocked account of a school',
    'questions about warranty', 'the complaint from Kraków', 'the broken voucher', 'spam in reviews', 'login trouble after the update',
    'the bulk order for the museum', 'the delayed refund', 'the angry tweet', 'missing size 38', 'the return without a label',
    'the e-mail in Vietnamese', 'the wrong colour (teal, not blue)', 'the macro for returns'],
  array['Ask the customer', 'Check with the warehouse', 'Answer', 'Update the FAQ'],
  array['refund', 'shipping', 'account', 'complaint', 'FAQ'],
  'Cases', array['Inbox', 'Sorted', 'Working on it', 'Waiting for customer', 'Closed'], null, null
),
(
  9, 'SEC', 6, 'ISO 27001', 'Certification audit, stage 1 and 2.', 'en', 40, 0.02, 0.72, true, false,
  '{Write,Review,Approve,Collect,Test,Update,Audit,Assign,Prepare,Close}',
  array['the risk register', 'the access policy', 'evidence for backups', 'the supplier list', 'the incident drill', 'the asset inventory',
    'the clean desk rule', 'awareness training', 'the password policy', 'the visitor log', 'encryption of laptops', 'finding no. 4',
    'the statement of applicability', 'the exit checklist', 'the penetration test report'],
  array['Draft', 'Review with legal', 'Approve', 'File the evidence'],
  array['policy', 'evidence', 'audit', 'training', 'legal'],
  'Audit', array['Open', 'Planned', 'In work', 'With the auditor', 'Closed'], null, null
),
(
  10, 'MEX', 3, 'Lanzamiento en México', 'Tienda, bodega y primeros doscientos clientes.', 'es', 30, 0.45, 1, false, true,
  '{Preparar,Revisar,Traducir,Negociar,Publicar,Corregir,Diseñar,Confirmar}',
  array['el contrato con la bodega', 'la lista de precios', 'los anuncios en redes', 'la página de inicio', 'las condiciones de envío', 'el aviso de privacidad',
    'la factura electrónica', 'los correos de bienvenida', 'el evento en Guadalajara', 'las fotos del catálogo', 'la campaña del Día de Muertos 💀',
    'el teléfono de atención', 'las devoluciones', 'el pago con OXXO'],
  array['Borrador', 'Revisión del socio', 'Diseño final', 'Publicación'],
  array['logística', 'legal', 'redes', 'tienda', 'eventos'],
  'Lanzamiento', array['Ideas', 'Por hacer', 'En curso', 'En revisión', 'Listo'], null, null
),
(
  11, 'CAI', 6, 'مؤتمر القاهرة', 'مؤتمر الشركاء السنوي في القاهرة، ثلاثة أيام وثلاثمئة ضيف.', 'ar', 20, 0.5, 1, false, false,
  '{مراجعة,إعداد,حجز,ترجمة,تأكيد,تصميم,متابعة}',
  array['عقد القاعة', 'برنامج اليوم الأول', 'قائمة المتحدثين', 'دعوات الشركاء', 'غرف الفندق', 'بطاقات الحضور', 'كلمة الافتتاح', 'الموقع الإلكتروني للمؤتمر',
    'وجبات الغداء', 'النقل من المطار', 'الترجمة الفورية', 'الهدايا 🎁'],
  array['طلب عروض الأسعار', 'الاختيار', 'التوقيع', 'المتابعة'],
  array['قاعة', 'متحدثون', 'سفر', 'إعلام', 'تصميم'],
  'التحضير', array['أفكار', 'مخطط لها', 'قيد التنفيذ', 'مراجعة', 'تم'], null, null
),
(
  12, 'UMZUG', 6, 'Umzug nach Köln', 'Neues Büro am Rhein: Mietvertrag, Möbel, Netzwerk, Einweihung.', 'de', 14, 0.05, 0.5, true, false,
  '{prüfen,bestellen,organisieren,kündigen,abstimmen,vergleichen,planen,abholen}',
  array['Mietvertrag', 'Büromöbel', 'Internetanschluss', 'Schlüsselübergabe', 'Umzugsfirma', 'Küchenzeile', 'Türschilder', 'Versicherung', 'Müllentsorgung',
    'Parkplätze', 'Einweihungsfeier 🥂', 'Brandschutz', 'Grünpflanzen', 'Serverschrank', 'Außenwerbung'],
  array['Angebote einholen', 'Entscheiden', 'Beauftragen', 'Abnehmen'],
  array['Möbel', 'Technik', 'Vertrag', 'Feier', 'Küche'],
  'Umzug', array['Ideen', 'Geplant', 'In Arbeit', 'Wartet', 'Fertig'], null, null
);
