//! The rules, by what they look for.

/// A kind of secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A private key in a block of several lines (PEM, OpenSSH, PGP, PuTTY).
    PrivateKey,
    /// An id or key of a cloud.
    CloudKey,
    /// A token with the prefix of a well-known issuer.
    Token,
    /// A JSON Web Token.
    WebToken,
    /// `Bearer` and a token.
    Bearer,
    /// `Basic` and a login in base64.
    Basic,
    /// The password in `scheme://user:password@host`.
    UrlPassword,
    /// A parameter of an address that is called a secret.
    UrlParameter,
    /// The password or key in a connection string.
    ConnectionString,
    /// The secret part of an address that takes messages from anyone who knows it.
    Webhook,
    /// A password where a program or a file of logins has one: `curl -u`, `mysql -p`, `.netrc`, `.pgpass`.
    Login,
    /// The value of a cookie.
    Cookie,
    /// A value that looks random, or like a password, beside a name that says so.
    Named,
}

impl Rule {
    /// Every rule, in the order of the documentation.
    pub const ALL: [Rule; 13] = [
        Rule::PrivateKey,
        Rule::CloudKey,
        Rule::Token,
        Rule::WebToken,
        Rule::Bearer,
        Rule::Basic,
        Rule::UrlPassword,
        Rule::UrlParameter,
        Rule::ConnectionString,
        Rule::Webhook,
        Rule::Login,
        Rule::Cookie,
        Rule::Named,
    ];

    /// The rule as it stands in `[REDACTED:rule]`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Rule::PrivateKey => "private_key",
            Rule::CloudKey => "cloud_key",
            Rule::Token => "token",
            Rule::WebToken => "web_token",
            Rule::Bearer => "bearer",
            Rule::Basic => "basic",
            Rule::UrlPassword => "url_password",
            Rule::UrlParameter => "url_parameter",
            Rule::ConnectionString => "connection_string",
            Rule::Webhook => "webhook",
            Rule::Login => "login",
            Rule::Cookie => "cookie",
            Rule::Named => "named_secret",
        }
    }

    /// The rule of that name.
    pub fn parse(name: &str) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.as_str() == name)
    }
}

/// The rules whose findings stay, because a project says so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed(Vec<Rule>);

impl Allowed {
    /// Those of these names; others are none.
    pub fn of<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        Allowed(names.filter_map(Rule::parse).collect())
    }

    /// Returns whether what a rule finds stays.
    pub fn has(&self, rule: Rule) -> bool {
        self.0.contains(&rule)
    }
}
